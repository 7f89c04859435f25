import type { Link } from "@tapthru/proto/links";
import { parseStorePage } from "@tapthru/proto/rules/amazon/amazon-url";
import { Badge } from "../../../components/ui/badge.tsx";
import { formatShortDay, hasPassed } from "../../../lib/dates.ts";
import { findChannel, useChannels } from "../../channels/index.ts";
import { LabelChips } from "../labels.tsx";
import { LinkBadges } from "../link-state.tsx";

export function LinkState({ link }: { link: Link }) {
  return (
    <>
      <LinkBadges link={link} />
      {link.expiresAt !== null && <Badge>{expiryText(link.expiresAt)}</Badge>}
      <span className="flex min-w-0 items-center gap-x-2 @max-5xl:sr-only">
        <LabelChips labels={link.labels} limit={1} />
      </span>
    </>
  );
}

/** The channel of users who have several, and the tag. A card has room only for a tag that is missing or not theirs. */
export function LinkTag({ link }: { link: Link }) {
  const page = parseStorePage(link.webUrl);
  const channels = useChannels();
  const channel = channels.length > 1 ? findChannel(channels, link.channelId) : undefined;
  if (page === null) return null;
  return (
    <span className="flex min-w-0 flex-wrap items-center gap-x-1 @2xl:flex-col @2xl:items-start">
      <span className="max-w-full @2xl:truncate">
        {channel && (
          <>
            <span className="sr-only">Channel </span>
            <bdi>{channel.name}</bdi>
            <span aria-hidden>{" · "}</span>
          </>
        )}
        <span className="@max-2xl:sr-only">amazon.{page.marketplace}</span>
      </span>
      {page.tag === null ? (
        <Badge>No tag</Badge>
      ) : link.hasUnknownTag ? (
        <Badge>
          Not yours<span className="wrap-anywhere @2xl:@max-5xl:sr-only">{`: ${page.tag}`}</span>
        </Badge>
      ) : (
        <span className="max-w-full wrap-anywhere @max-2xl:sr-only">
          <span className="sr-only">Tag </span>
          {page.tag}
        </span>
      )}
    </span>
  );
}

function expiryText(expiresAt: string): string {
  return hasPassed(expiresAt) ? "Expired" : `Expires ${formatShortDay(expiresAt)}`;
}
