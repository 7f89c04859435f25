import { messages } from "@tapthru/proto/rules/messages";
import { Mail } from "lucide-react";
import { useCopy } from "../../components/copy-button.tsx";
import { ToolButton, type ToolLook } from "../../components/tool-button.tsx";
import { useErrorToast } from "../../components/ui/toaster.tsx";
import { hasTag, type SharedLink, useUntag } from "./use-untag.ts";

/** Copies the short link without tag. Renders nothing for links that have no tag, or no owner. */
export function CopyForEmail({ link, look }: { link: SharedLink; look: ToolLook }) {
  const { copy } = useCopy(messages.failedToCopyLinkTryAgain, messages.untaggedCopied);
  const { untag, isPending } = useUntag(link);
  const showError = useErrorToast();
  if (link.untaggedUrl === undefined || !hasTag(link)) return null;
  return (
    <ToolButton
      look={look}
      icon={Mail}
      label={messages.copyForEmail}
      text={messages.copyForEmail}
      aria-disabled={isPending}
      onClick={() => untag(copy, () => showError(messages.failedToUntag))}
    />
  );
}
