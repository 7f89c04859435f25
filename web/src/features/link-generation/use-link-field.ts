import { TYPING_DELAY_MS } from "@tapthru/proto/rules/limits";
import { type ClipboardEvent, type InputEvent, useEffect, useRef, useState } from "react";
import { useErrorToast } from "../../components/ui/toaster.tsx";
import { useTimeout } from "../../lib/use-timeout.ts";
import { containsLink, findTypedLink, readLink } from "./read-link.ts";

interface Options {
  pending: boolean;
  onLink: (url: string) => void;
  onEdit: () => void;
}

const IMMEDIATE_INPUT_TYPES = new Set(["insertFromPaste", "insertFromDrop"]);

/**
 * Decides when a link field submits and validates. A paste, Enter and blur do both at once. Typing submits after a
 * pause, once the text is a complete link without a query, and never shows a validation message.
 */
export function useLinkField({ pending, onLink, onEdit }: Options) {
  const ref = useRef<HTMLInputElement>(null);
  const [validationMessage, setValidationMessage] = useState<string>();
  const [isWaitingForEnter, setWaitingForEnter] = useState(false);
  const showError = useErrorToast();
  const typing = useTimeout();
  const isEdited = useRef(false);
  const previousText = useRef("");
  const shouldReturnFocus = useRef(false);

  // The caret stays where it was: the next key must not replace the text.
  useEffect(() => {
    if (pending || !shouldReturnFocus.current) return;
    shouldReturnFocus.current = false;
    if (document.activeElement === document.body) ref.current?.focus();
  }, [pending]);

  function start(url: string) {
    typing.stop();
    isEdited.current = false;
    setWaitingForEnter(false);
    shouldReturnFocus.current = ref.current?.form?.contains(document.activeElement) ?? false;
    onLink(url);
  }

  function submit() {
    const result = readLink(ref.current?.value ?? "");
    if ("url" in result) return start(result.url);
    setValidationMessage(result.validationMessage);
    showError(result.validationMessage);
  }

  return {
    ref,
    validationMessage,
    isWaitingForEnter,
    submit,
    onInput({ currentTarget: { value }, nativeEvent }: InputEvent<HTMLInputElement>) {
      const isInsertedWhole =
        value.length - previousText.current.length > 1 && !containsLink(previousText.current);
      previousText.current = value;
      isEdited.current = true;
      typing.stop();
      setValidationMessage(undefined);
      onEdit();
      if (IMMEDIATE_INPUT_TYPES.has(nativeEvent.inputType)) return submit();
      const url = findTypedLink(value, isInsertedWhole);
      if (url) typing.start(() => start(url), TYPING_DELAY_MS);
      setWaitingForEnter(url === null && containsLink(value));
    },
    /** A pasted link replaces the text instead of being inserted at the caret. */
    onPaste({ clipboardData }: ClipboardEvent) {
      if (containsLink(clipboardData.getData("text/plain"))) ref.current?.select();
    },
    onBlur() {
      const isWindowBlur = document.activeElement === ref.current;
      const isEmpty = ref.current?.value.trim() === "";
      if (isEdited.current && !isEmpty && !isWindowBlur) submit();
    },
  };
}
