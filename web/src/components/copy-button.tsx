import { messages } from "@tapthru/proto/rules/messages";
import { Check, Copy } from "lucide-react";
import { IconButton } from "./ui/icon-button.tsx";
import { useCopy } from "./use-copy.ts";

interface CopyButtonProps {
  text: string;
  label: string;
  /** The toast if the browser does not allow copying. Both toasts default to the texts for a link. */
  failure?: string;
  /** The toast after copying. */
  success?: string;
}

export function CopyButton({
  text,
  label,
  failure = messages.failedToCopyLinkTryAgain,
  success,
}: CopyButtonProps) {
  const { copied, copy } = useCopy(failure, success);
  return <IconButton icon={copied ? Check : Copy} label={label} onClick={() => copy(text)} />;
}
