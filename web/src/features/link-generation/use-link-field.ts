import { findAmazonUrlList } from "@tapthru/proto/rules/amazon/find-amazon-url";
import { TYPING_DELAY_MS } from "@tapthru/proto/rules/limits";
import {
  type ClipboardEvent,
  type FocusEvent,
  type InputEvent,
  useEffect,
  useEffectEvent,
  useRef,
  useState,
} from "react";
import { useErrorToast } from "../../components/ui/toaster.tsx";
import { useTimeout } from "../../lib/use-timeout.ts";
import { containsLink, findTypedLink, needsRepair, readLink, readLinks } from "./read-link.ts";
import { useFocusMoveCheck } from "./use-focus-move-check.ts";
import { usePagePaste } from "./use-page-paste.ts";

interface Options {
  pending: boolean;
  /** Replaces the text of the field when it changes. */
  replacement?: string | undefined;
  onLink: (url: string) => void;
  /** Called when several links are pasted at once, and for any link while pending. */
  onLinks: (addresses: string[]) => void;
  onEdit: () => void;
}

const IMMEDIATE_INPUT_TYPES = new Set(["insertFromPaste", "insertFromDrop"]);

/**
 * Decides when a link field submits and validates. A paste or drop, even elsewhere on the page, Enter and blur do both
 * at once. Blur does not submit when the user moves to another control, which may be one of the displayed result. Typing
 * submits after a pause, once the text is a complete link without a query, and never shows a validation message. If the address
 * should probably be another one, that is offered instead, and Enter submits the pasted one.
 */
export function useLinkField({ pending, replacement, onLink, onLinks, onEdit }: Options) {
  const ref = useRef<HTMLInputElement>(null);
  const [validationMessage, setValidationMessage] = useState<string>();
  const [isWaitingForEnter, setWaitingForEnter] = useState(false);
  /** A text for which another address is offered; empty if none is. */
  const [offered, setOffered] = useState("");
  const showError = useErrorToast();
  const typing = useTimeout();
  const movesToControl = useFocusMoveCheck();
  const isEdited = useRef(false);
  const previousText = useRef("");
  const shouldReturnFocus = useRef(false);

  // The caret stays where it was: the next key must not replace the text.
  useEffect(() => {
    if (pending || !shouldReturnFocus.current) return;
    shouldReturnFocus.current = false;
    if (document.activeElement === document.body) ref.current?.focus();
  }, [pending]);

  function stopWaiting() {
    typing.stop();
    isEdited.current = false;
    setWaitingForEnter(false);
    shouldReturnFocus.current = ref.current?.form?.contains(document.activeElement) ?? false;
  }

  function start(url: string) {
    stopWaiting();
    setOffered("");
    onLink(url);
  }

  /** Shows a text in the field. */
  function replaceText(text: string) {
    if (ref.current) ref.current.value = text;
    previousText.current = text;
    setValidationMessage(undefined);
    setOffered("");
  }

  /** @returns whether another address is offered */
  function offerRepair(): boolean {
    const text = ref.current?.value ?? "";
    if (!needsRepair(text)) return false;
    stopWaiting();
    setOffered(text);
    const result = readLink(text);
    if ("url" in result) setWaitingForEnter(true);
    else setValidationMessage(result.validationMessage);
    return true;
  }

  /** Submits the text if it is a list of links, and empties the field. */
  function submitList(text: string): boolean {
    const addresses = findAmazonUrlList(text);
    if (addresses.length === 0) return false;
    stopWaiting();
    replaceText("");
    onLinks(addresses);
    return true;
  }

  function validate() {
    const result = readLink(ref.current?.value ?? "");
    if ("url" in result) return result.url;
    setValidationMessage(result.validationMessage);
    showError(result.validationMessage);
    return null;
  }

  function submit({ isConfirmed = false } = {}) {
    if (submitList(ref.current?.value ?? "")) return;
    if (!isConfirmed && offerRepair()) return;
    const url = validate();
    if (url !== null) start(url);
  }

  /** Replaces the text of the field and submits it. While pending, only passes links on. */
  function insert(text: string) {
    if (pending) {
      const addresses = readLinks(text);
      if (addresses.length > 0) onLinks(addresses);
      return;
    }
    if (submitList(text)) return;
    replaceText(text.replace(/\s+/g, " ").trim());
    // The result is below the field, which may be further up on the page.
    ref.current?.scrollIntoView({ block: "nearest" });
    onEdit();
    submit();
  }

  const showReplacement = useEffectEvent(replaceText);
  useEffect(() => {
    if (replacement !== undefined) showReplacement(replacement);
  }, [replacement]);

  // Text that was entered into the prerendered field before this script had loaded.
  useEffect(() => {
    if (ref.current?.value) ref.current.dispatchEvent(new InputEvent("input", { bubbles: true }));
  }, []);

  usePagePaste((text) => containsLink(text) && insert(text));

  return {
    ref,
    validationMessage,
    isWaitingForEnter,
    offered,
    takeRepair(url: string) {
      replaceText(url);
      start(url);
    },
    submit,
    insert,
    onInput({ currentTarget: { value }, nativeEvent }: InputEvent<HTMLInputElement>) {
      const isInsertedWhole = value.length - previousText.current.length > 1 && !containsLink(previousText.current);
      previousText.current = value;
      isEdited.current = true;
      typing.stop();
      setValidationMessage(undefined);
      setOffered("");
      onEdit();
      if (IMMEDIATE_INPUT_TYPES.has(nativeEvent.inputType)) return submit();
      const url = findTypedLink(value, isInsertedWhole);
      if (url) typing.start(() => offerRepair() || start(url), TYPING_DELAY_MS);
      setWaitingForEnter(url === null && containsLink(value));
    },
    /** A pasted link replaces the text instead of being inserted at the caret. A list is not inserted. */
    onPaste(event: ClipboardEvent) {
      const text = event.clipboardData.getData("text/plain");
      if (submitList(text)) event.preventDefault();
      else if (containsLink(text)) ref.current?.select();
    },
    onBlur(event: FocusEvent) {
      const isWindowBlur = document.activeElement === ref.current;
      const isEmpty = ref.current?.value.trim() === "";
      if (!isEdited.current || isEmpty || isWindowBlur) return;
      if (movesToControl(event)) validate();
      else submit();
    },
  };
}
