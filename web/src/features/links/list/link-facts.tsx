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
          <span className="flex">
            <span className="shrink-0">Not yours</span>
            <span className="flex min-w-0 @2xl:@max-5xl:sr-only">
              :&nbsp;
              <MiddleCut text={page.tag} />
            </span>
          </span>
        </Badge>
      ) : (
        <span className="flex max-w-full @max-2xl:sr-only">
          <span className="sr-only">Tag </span>
          <MiddleCut text={page.tag} />
        </span>
      )}
    </span>
  );
}

const END_LENGTH = 5;

/** A text whose middle is cut if a row has no room for it: its end is what differs. */
function MiddleCut({ text }: { text: string }) {
  return (
    <span title={text} className="min-w-0 wrap-anywhere @2xl:flex">
      <span className="sr-only">{text}</span>
      <span aria-hidden className="min-w-4 empty:hidden @2xl:truncate">
        {text.slice(0, -END_LENGTH)}
      </span>
      <span aria-hidden className="@2xl:shrink-0">
        {text.slice(-END_LENGTH)}
      </span>
    </span>
  );
}

function expiryText(expiresAt: string): string {
  return hasPassed(expiresAt) ? "Expired" : `Expires ${formatShortDay(expiresAt)}`;
}
