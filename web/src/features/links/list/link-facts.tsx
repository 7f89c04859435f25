import type { Link } from "@tapthru/proto/http/links";
import { parseStorePage } from "@tapthru/proto/rules/amazon/amazon-url";
import { messages } from "@tapthru/proto/rules/messages";
import { StoreFlag } from "../../../components/store-flag.tsx";
import { Badge } from "../../../components/ui/badge.tsx";
import { findChannel, useChannels } from "../../../lib/channels.ts";
import { formatShortDay, hasPassed } from "../../../lib/dates.ts";
import { LabelChips } from "../labels/label-chip.tsx";
import { LinkBadges } from "../link-state.tsx";

/** What a card says about a link: its store, date, tag, labels and state. */
export function LinkFacts({ link }: { link: Link }) {
  const page = parseStorePage(link.webUrl);
  return (
    <span className="flex flex-wrap items-center gap-x-2 gap-y-1">
      {page && <StoreFlag marketplace={page.marketplace} />}
      <span>
        <span className="sr-only">{messages.createdOn} </span>
        <time dateTime={link.createdAt}>{formatShortDay(link.createdAt)}</time>
      </span>
      {page && <TagBadge tag={page.tag} channelId={link.channelId} />}
      <LinkBadges link={link} />
      <LabelChips labels={link.labels} limit={2} />
      {link.expiresAt !== null && <Badge>{expiryText(link.expiresAt)}</Badge>}
    </span>
  );
}

/** The tag, with the channel of users who have several. */
function TagBadge({ tag, channelId }: { tag: string | null; channelId: number | null }) {
  const channels = useChannels();
  const channel = channels.length > 1 ? findChannel(channels, channelId) : undefined;
  if (tag === null) return <Badge>{messages.noTag}</Badge>;
  return (
    <Badge variant="quiet">
      <span className="sr-only">{messages.tag} </span>
      <bdi>{tag}</bdi>
      {channel && (
        <>
          <span aria-hidden> · </span>
          <span className="sr-only"> {messages.channel} </span>
          <bdi>{channel.name}</bdi>
        </>
      )}
    </Badge>
  );
}

function expiryText(expiresAt: string): string {
  return hasPassed(expiresAt) ? messages.expired : messages.expiresOn(formatShortDay(expiresAt));
}
