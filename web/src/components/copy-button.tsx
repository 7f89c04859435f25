import { messages } from "@tapthru/proto/rules/messages";
import { Check, Copy } from "lucide-react";
import { IconButton } from "./ui/icon-button.tsx";
import { useCopy } from "./use-copy.ts";

/** Copies a link that has a page or a card of its own. */
export function CopyButton({ text, label }: { text: string; label: string }) {
  const { copied, copy } = useCopy(messages.failedToCopyLinkTryAgain);
  return <IconButton icon={copied ? Check : Copy} label={label} onClick={() => copy(text)} />;
}
