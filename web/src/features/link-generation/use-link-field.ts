import { TYPING_DELAY_MS } from "@tapthru/proto/rules/limits";
import { type InputEvent, useEffect, useRef, useState } from "react";
import { useErrorToast } from "../../components/ui/toaster.tsx";
import { useTimeout } from "../../lib/use-timeout.ts";
import { findCompleteLink, readLink } from "./read-link.ts";

interface Options {
  pending: boolean;
  onLink: (url: string) => void;
  onEdit: (() => void) | undefined;
}

const IMMEDIATE_INPUT_TYPES = new Set(["insertFromPaste", "insertFromDrop"]);

/**
 * Decides when a link field submits and validates. A paste, Enter and blur do both at once. Typing submits after a
 * pause, once the text is a complete link, and never shows a validation message.
 */
export function useLinkField({ pending, onLink, onEdit }: Options) {
  const ref = useRef<HTMLInputElement>(null);
  const [validationMessage, setValidationMessage] = useState<string>();
  const showError = useErrorToast();
  const typing = useTimeout();
  const isEdited = useRef(false);
  const previousLength = useRef(0);
  const shouldReturnFocus = useRef(false);

  useEffect(() => {
    if (pending || !shouldReturnFocus.current) return;
    shouldReturnFocus.current = false;
    if (document.activeElement === document.body) ref.current?.select();
  }, [pending]);

  function start(url: string) {
    typing.stop();
    isEdited.current = false;
    shouldReturnFocus.current = document.activeElement === ref.current;
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
    submit,
    onInput({ currentTarget: { value }, nativeEvent }: InputEvent<HTMLInputElement>) {
      const isInsertedWhole = value.length - previousLength.current > 1;
      previousLength.current = value.length;
      isEdited.current = true;
      typing.stop();
      setValidationMessage(undefined);
      onEdit?.();
      if (IMMEDIATE_INPUT_TYPES.has(nativeEvent.inputType)) return submit();
      const url = findCompleteLink(value, isInsertedWhole);
      if (url) typing.start(() => start(url), TYPING_DELAY_MS);
    },
    onBlur() {
      const isWindowBlur = document.activeElement === ref.current;
      if (isEdited.current && !isWindowBlur) submit();
    },
  };
}
