import type { Link } from "@tapthru/proto/links";
import { parseStorePage } from "@tapthru/proto/rules/amazon/amazon-url";
import { MARKETPLACES, type Marketplace } from "@tapthru/proto/rules/amazon/marketplaces";
import * as flags from "country-flag-icons/react/3x2";
import { Badge } from "../../../components/ui/badge.tsx";
import { formatShortDay, hasPassed } from "../../../lib/dates.ts";
import { findChannel, useChannels } from "../../channels/index.ts";
import { LabelChips } from "../labels/label-chip.tsx";
import { LinkBadges } from "../link-state.tsx";

export function LinkCreated({ link }: { link: Link }) {
  return (
    <>
      <span className="sr-only">Created </span>
      <time dateTime={link.createdAt}>{formatShortDay(link.createdAt)}</time>
    </>
  );
}

export function LinkState({ link }: { link: Link }) {
  return (
    <>
      <LinkBadges link={link} />
      {link.expiresAt !== null && <Badge>{expiryText(link.expiresAt)}</Badge>}
      <LabelChips labels={link.labels} limit={2} />
    </>
  );
}

/** A row of a medium width has no room for the channel. */
export function LinkTag({ link }: { link: Link }) {
  const page = parseStorePage(link.webUrl);
  return (
    page && (
      <>
        <StoreFlag marketplace={page.marketplace} />
        <span className="flex min-w-0 flex-wrap gap-x-2 gap-y-1 @2xl:flex-nowrap @2xl:[&>span]:truncate @2xl:@max-5xl:[&>span+span]:sr-only">
          <TagBadges tag={page.tag} link={link} />
        </span>
      </>
    )
  );
}

/** The tag, and the channel of users who have several. Both are in one badge if the tag is that of the channel. */
function TagBadges({ tag, link }: { tag: string | null; link: Link }) {
  const channels = useChannels();
  const channel = channels.length > 1 ? findChannel(channels, link.channelId) : undefined;
  const name = channel && (
    <>
      <span className="sr-only"> Channel </span>
      <bdi>{channel.name}</bdi>
    </>
  );
  const isOfChannel = link.tagSource === "channel";
  return (
    <>
      {tag === null ? (
        <Badge>No tag</Badge>
      ) : (
        <Badge variant={link.hasUnknownTag ? "notice" : "quiet"}>
          <span className="sr-only">Tag </span>
          <bdi>{tag}</bdi>
          {link.hasUnknownTag && ": not yours"}
          {isOfChannel && name && (
            <span className="@2xl:@max-5xl:sr-only">
              <span aria-hidden> · </span>
              {name}
            </span>
          )}
        </Badge>
      )}
      {name && !(isOfChannel && tag !== null) && <Badge variant="quiet">{name}</Badge>}
    </>
  );
}

function expiryText(expiresAt: string): string {
  return hasPassed(expiresAt) ? "Expired" : `Expires ${formatShortDay(expiresAt)}`;
}

/** By country. Pictures, because Windows has no flags among its emoji. */
const FLAGS: Readonly<Record<string, flags.FlagComponent>> = {
  AE: flags.AE,
  AU: flags.AU,
  BE: flags.BE,
  BR: flags.BR,
  CA: flags.CA,
  CN: flags.CN,
  DE: flags.DE,
  EG: flags.EG,
  ES: flags.ES,
  FR: flags.FR,
  GB: flags.GB,
  IE: flags.IE,
  IN: flags.IN,
  IT: flags.IT,
  JP: flags.JP,
  MX: flags.MX,
  NL: flags.NL,
  PL: flags.PL,
  SA: flags.SA,
  SE: flags.SE,
  SG: flags.SG,
  TR: flags.TR,
  US: flags.US,
  ZA: flags.ZA,
};

function StoreFlag({ marketplace }: { marketplace: Marketplace }) {
  const name = `amazon.${marketplace}`;
  const Flag = FLAGS[MARKETPLACES[marketplace].country];
  return Flag && <Flag title={name} role="img" aria-label={name} className={FLAG} />;
}

const FLAG = "h-3.5 w-auto shrink-0 rounded-xs outline outline-line";
