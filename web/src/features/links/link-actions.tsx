import type { Link } from "@tapthru/proto/http/links";
import { messages } from "@tapthru/proto/rules/messages";
import { Check, Copy, ExternalLink } from "lucide-react";
import type { ReactNode } from "react";
import { Button, buttonClass } from "../../components/ui/button.tsx";
import { OutsideLink } from "../../components/ui/links.tsx";
import { useCopy } from "../../components/use-copy.ts";

interface LinkActionsProps {
  link: Link;
  /** Further buttons. */
  tools: ReactNode;
}

/** The most frequent actions for a link in one row: copy, share, open. */
export function LinkActions({ link: { shortUrl }, tools }: LinkActionsProps) {
  const { copied, copy } = useCopy(messages.failedToCopyLinkTryAgain);
  const CopyIcon = copied ? Check : Copy;
  return (
    <div className="flex flex-wrap gap-2">
      <Button shape="tile" onClick={() => copy(shortUrl)}>
        <CopyIcon aria-hidden className="size-4.5" />
        {messages.copyLink}
      </Button>
      {tools}
      <OutsideLink
        href={shortUrl}
        target="_blank"
        rel="noopener"
        className={buttonClass("outline", "tile")}
      >
        <ExternalLink aria-hidden className="size-4.5" />
        {messages.openShortLink}
      </OutsideLink>
    </div>
  );
}
