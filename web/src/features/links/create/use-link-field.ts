import { findAmazonUrlList } from "@tapthru/proto/rules/amazon/find-amazon-url";
import { type InputEvent, type ClipboardEvent as PasteEvent, useEffect, useEffectEvent, useRef, useState } from "react";
import { useErrorToast } from "../../../components/ui/toaster.tsx";
import { focusIfLost } from "../../../lib/focus.ts";
import { useTimeout } from "../../../lib/use-timeout.ts";
import { containsLink, findTypedLink, needsRepair, readLink, readLinks } from "./read-link.ts";

export const TYPING_DELAY_MS = 600;

interface Options {
  pending: boolean;
  isEmptied?: boolean;
  prefilled?: string | undefined;
  onLink: (url: string) => void;
  onLinks: (addresses: string[]) => void;
  onEdit: () => void;
}

const IMMEDIATE_INPUT_TYPES = new Set(["insertFromPaste", "insertFromDrop"]);

/**
 * Decides when a link field submits and validates. A paste, even elsewhere on the page, a drop and Enter do both at once. Typing
 * submits after a pause, once the text is a complete link without a query; leaving the field only validates it. If the address
 * should probably be another one, that is offered instead, and Enter submits the pasted one.
 */
export function useLinkField({ pending, isEmptied, prefilled, onLink, onLinks, onEdit }: Options) {
  const ref = useRef<HTMLInputElement>(null);
  const [validationMessage, setValidationMessage] = useState<string>();
  const [isWaitingForEnter, setWaitingForEnter] = useState(false);
  /** A text for which another address is offered; empty if none is. */
  const [offered, setOffered] = useState("");
  const showError = useErrorToast();
  const typing = useTimeout();
  const isEdited = useRef(false);
  const previousText = useRef("");
  const shouldReturnFocus = useRef(false);

  // The caret stays where it was: the next key must not replace the text.
  useEffect(() => {
    if (pending || !shouldReturnFocus.current) return;
    shouldReturnFocus.current = false;
    focusIfLost(ref.current);
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
    if (isEmptied) replaceText("");
  }

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

  /** Submits the text if it is a list of links, and empties the field. If some should be others, that is offered instead. */
  function submitList(text: string, { isConfirmed = false } = {}): boolean {
    const addresses = findAmazonUrlList(text);
    if (addresses.length === 0) return false;
    stopWaiting();
    const isOffered = !isConfirmed && addresses.some(needsRepair);
    replaceText(isOffered ? addresses.join(" ") : "");
    if (isOffered) setOffered(addresses.join(" "));
    else onLinks(addresses);
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
    if (submitList(ref.current?.value ?? "", { isConfirmed })) return;
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

  const pasteOnPage = useEffectEvent(({ target, clipboardData }: ClipboardEvent) => {
    if (isEditable(target) || document.querySelector("dialog[open]")) return;
    const text = clipboardData?.getData("text/plain") ?? "";
    if (containsLink(text)) insert(text);
  });
  useEffect(() => {
    const listen = (event: ClipboardEvent) => pasteOnPage(event);
    document.addEventListener("paste", listen);
    return () => document.removeEventListener("paste", listen);
  }, []);

  const prefill = useEffectEvent(replaceText);
  useEffect(() => {
    if (prefilled !== undefined) prefill(prefilled);
  }, [prefilled]);

  const startField = useEffectEvent((input: HTMLInputElement) => {
    delete input.dataset.early;
    // Text that was entered into the prerendered field, or pasted on its page, before this script had loaded.
    if (input.value && !submitList(input.value)) input.dispatchEvent(new InputEvent("input", { bubbles: true }));
  });
  useEffect(() => {
    if (ref.current) startField(ref.current);
  }, []);

  return {
    ref,
    validationMessage,
    isWaitingForEnter,
    offered,
    takeRepair(urls: string[]) {
      const [url = ""] = urls;
      replaceText(urls.length === 1 ? url : "");
      if (urls.length === 1) start(url);
      else onLinks(urls);
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
    onPaste(event: PasteEvent) {
      const text = event.clipboardData.getData("text/plain");
      if (submitList(text)) event.preventDefault();
      else if (containsLink(text)) ref.current?.select();
    },
    onBlur() {
      const isWindowBlur = document.activeElement === ref.current;
      const isEmpty = ref.current?.value.trim() === "";
      if (isEdited.current && !isEmpty && !isWindowBlur) validate();
    },
  };
}

/** Returns true if the browser itself inserts text that is pasted into the target. */
function isEditable(target: EventTarget | null): boolean {
  return target instanceof Element && target.closest("input, textarea, [contenteditable]") !== null;
}
