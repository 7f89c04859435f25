import { Mail } from "lucide-react";
import { FAILED_TO_COPY_LINK_TRY_AGAIN, useCopy } from "../../components/copy-button.tsx";
import { ToolButton, type ToolLook } from "../../components/tool-button.tsx";
import { useErrorToast } from "../../components/ui/toaster.tsx";
import { FAILED_TO_UNTAG, hasTag, type SharedLink, useUntag } from "./use-untag.ts";

/** Copies the short link without tag. Renders nothing for links that have no tag, or no owner. */
export function CopyForEmail({ link, look }: { link: SharedLink; look: ToolLook }) {
  const { copy } = useCopy(
    FAILED_TO_COPY_LINK_TRY_AGAIN,
    "Copied the link without tag: Amazon's rules refuse tags in mail. Its taps are counted apart.",
  );
  const { untag, isPending } = useUntag(link);
  const showError = useErrorToast();
  if (link.untaggedUrl === undefined || !hasTag(link)) return null;
  return (
    <ToolButton
      look={look}
      icon={Mail}
      label="Copy for email"
      text="Copy for email"
      aria-disabled={isPending}
      onClick={() => untag(copy, () => showError(FAILED_TO_UNTAG))}
    />
  );
}
