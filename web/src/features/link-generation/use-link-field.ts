import { TYPING_DELAY_MS } from "@tapthru/proto/rules/limits";
import { messages } from "@tapthru/proto/rules/messages";
import { type InputEvent, useEffect, useRef, useState } from "react";
import { useToast } from "../../components/ui/toaster.tsx";
import { useTimeout } from "../../lib/use-timeout.ts";
import { findCompleteLink, readLink } from "./read-link.ts";

interface Options {
  pending: boolean;
  onLink: (url: string) => void;
  onEdit: (() => void) | undefined;
}

const AT_ONCE = new Set(["insertFromPaste", "insertFromDrop"]);

/**
 * When a link field speaks up: a paste, Enter and leaving the field start or complain at once;
 * typing starts after a pause, once the text is a whole link, and never complains.
 */
export function useLinkField({ pending, onLink, onEdit }: Options) {
  const ref = useRef<HTMLInputElement>(null);
  const [complaint, setComplaint] = useState<string>();
  const toast = useToast();
  const typing = useTimeout();
  const edited = useRef(false);
  const lengthBefore = useRef(0);
  const returnFocus = useRef(false);

  useEffect(() => {
    if (pending || !returnFocus.current) return;
    returnFocus.current = false;
    if (document.activeElement === document.body) ref.current?.select();
  }, [pending]);

  function start(url: string) {
    typing.stop();
    edited.current = false;
    returnFocus.current = document.activeElement === ref.current;
    onLink(url);
  }

  function complain(description: string) {
    setComplaint(description);
    toast({ variant: "destructive", title: messages.error, description });
  }

  function submit() {
    const answer = readLink(ref.current?.value ?? "");
    if ("complaint" in answer) complain(answer.complaint);
    else start(answer.url);
  }

  return {
    ref,
    complaint,
    submit,
    onInput({ currentTarget: { value }, nativeEvent }: InputEvent<HTMLInputElement>) {
      const arrivedInOnePiece = value.length - lengthBefore.current > 1;
      lengthBefore.current = value.length;
      edited.current = true;
      typing.stop();
      setComplaint(undefined);
      onEdit?.();
      if (AT_ONCE.has(nativeEvent.inputType)) return submit();
      const url = findCompleteLink(value, arrivedInOnePiece);
      if (url) typing.start(() => start(url), TYPING_DELAY_MS);
    },
    onBlur() {
      const isWindowBlur = document.activeElement === ref.current;
      if (edited.current && !isWindowBlur) submit();
    },
  };
}
