import { COPY_CONFIRMATION_MS } from "@tapthru/proto/rules/limits";
import { messages } from "@tapthru/proto/rules/messages";
import { useState } from "react";
import { copyText } from "../lib/clipboard.ts";
import { useTimeout } from "../lib/use-timeout.ts";
import { useToast } from "./ui/toaster.tsx";

/**
 * Copies a text, says so, and is `copied` for as long as the check mark shows.
 * @param failure what to say when the browser refuses
 * @param success what to say when it is done
 */
export function useCopy(failure: string, success: string = messages.linkCopied) {
  const toast = useToast();
  const [copied, setCopied] = useState(false);
  const confirmation = useTimeout();

  async function copy(text: string) {
    try {
      await copyText(text);
    } catch {
      toast({ variant: "destructive", title: messages.error, description: failure });
      return;
    }
    setCopied(true);
    confirmation.start(() => setCopied(false), COPY_CONFIRMATION_MS);
    toast({ title: messages.copied, description: success });
  }

  return { copied, copy };
}
