import type { Channel } from "@tapthru/proto/http/channels";
import type { LinkInExport, LinkState } from "@tapthru/proto/http/export";
import { type LinksCsvColumn, linkCells } from "@tapthru/proto/http/links-csv";
import { splitShortCode } from "@tapthru/proto/redirect/short-code";
import { escapeFormula } from "@tapthru/proto/rules/csv-cell";
import { displayName } from "@tapthru/proto/rules/display-name";
import { linkReply } from "../links/link-reply.ts";
import type { CompleteLink } from "./link-pages.ts";

interface ExportContext {
  publicBaseUrl: string;
  now: number;
  channels: readonly Channel[];
}

/** What `LinkInExport` says about a link, with other properties of it. */
export function linkInExport(
  { row, clicks, history }: CompleteLink,
  { publicBaseUrl, now, channels }: ExportContext,
): LinkInExport {
  const link = linkReply(row, publicBaseUrl);
  const sum = (name: string) =>
    clicks.reduce((total, { counts }) => total + (counts[name] ?? 0), 0);
  return {
    ...link,
    url: link.originalUrl,
    title: row.ownTitle,
    name: displayName(row, new URL(publicBaseUrl).host),
    state: stateOf(row, link.invalid, now),
    history,
    channel: channels.find(({ id }) => id === link.channelId)?.name ?? null,
    clicks: {
      person: sum("person"),
      preview: sum("preview"),
      bot: sum("bot"),
      prefetch: sum("prefetch"),
      assistant: sum("assistant"),
      opened: sum("opened"),
    },
  };
}

function stateOf(
  { takenDown, expiresAt }: CompleteLink["row"],
  isInvalid: boolean,
  now: number,
): LinkState {
  if (takenDown) return "taken-down";
  if (isInvalid) return "invalid";
  return expiresAt !== null && expiresAt <= now ? "expired" : "live";
}

export function csvRecord(link: LinkInExport): Record<LinksCsvColumn, string | number> {
  const { shortUrl, name, state, createdAt, history, clicks } = link;
  const labels = link.labels.map((label) => label.name);
  return {
    ...linkCells({ ...link, shortCode: splitShortCode(link.shortCode).name, labels }),
    domain: link.domain ?? "",
    short_url: shortUrl,
    name: escapeFormula(name),
    state,
    created_at: createdAt,
    earlier_urls: history.destinations.flatMap(({ webUrl }) => webUrl ?? []).join(" "),
    earlier_short_codes: history.shortCodes.map((code) => code.shortCode).join(" "),
    ...clicks,
    channel: escapeFormula(link.channel ?? ""),
  };
}
