import { messages } from "@tapthru/proto/rules/messages";
import { Check, Copy } from "lucide-react";
import { IconButton } from "./ui/icon-button.tsx";
import { useCopy } from "./use-copy.ts";

/** Copies a link from its details page or its card. */
export function CopyButton({ text, label }: { text: string; label: string }) {
  const { copied, copy } = useCopy(messages.failedToCopyLinkTryAgain);
  return <IconButton icon={copied ? Check : Copy} label={label} onClick={() => copy(text)} />;
}
