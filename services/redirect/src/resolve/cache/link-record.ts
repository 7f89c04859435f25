import type { RoutedProduct } from "@tapthru/proto/rules/routing/route-visit";
import type { Link, LiveLink } from "../../link.ts";
import type { CachedLink } from "./cached-link.ts";

/** Times are stored in tenths of a second, in four bytes each. */
const TIME_UNIT_MS = 100;
const TIMES_BYTES = 8;

/** What most addresses of links and images start with. It is not stored. */
const WEB_URL_START = "https://www.amazon.";
const IMAGE_URL_START = "https://m.media-amazon.com/images/I/";

/** The rest of an address after its usual start, or an address with another start. */
type StoredUrl = string | [url: string];

type LiveFields = [
  revision: number,
  webUrl: StoredUrl,
  expiresAt: number | null,
  title: string | null,
  description: string | null,
  imageUrl: StoredUrl | null,
  siteName: string | null,
  marketplace: LiveLink["marketplace"],
  /** Absent for most links, as the next one. */
  routed?: RoutedProduct | null,
  rest?: Pick<LiveLink, "fallbackPage" | "isUntagged" | "assistantsGetTag" | "arms">,
];
type GoneFields = [revision: number, reason: "deleted" | "expired" | "taken-down"];

/** The link's times, and its fields as JSON without their names. */
export function recordOf(link: CachedLink): Buffer {
  const text = JSON.stringify(fieldsOf(link.lookup));
  const record = Buffer.allocUnsafe(TIMES_BYTES + Buffer.byteLength(text));
  writeTimes(record, 0, link);
  record.write(text, TIMES_BYTES);
  return record;
}

/** Replaces the times of the record that starts at `start`. */
export function writeTimes(
  bytes: Buffer,
  start: number,
  { refreshAt, usableUntil }: Pick<CachedLink, "refreshAt" | "usableUntil">,
): true {
  bytes.writeInt32LE(Math.floor(refreshAt / TIME_UNIT_MS), start);
  bytes.writeInt32LE(Math.floor(usableUntil / TIME_UNIT_MS), start + 4);
  return true;
}

/** Reads the record at [start, end). */
export function readRecord(bytes: Buffer, start: number, end: number): CachedLink {
  return {
    source: "l1",
    lookup: linkOf(JSON.parse(bytes.toString("utf8", start + TIMES_BYTES, end))),
    refreshAt: bytes.readInt32LE(start) * TIME_UNIT_MS,
    usableUntil: bytes.readInt32LE(start + 4) * TIME_UNIT_MS,
  };
}

function fieldsOf(link: Link): LiveFields | GoneFields {
  if (link.state === "gone") return [link.revision, link.reason];
  const { revision, expiresAt, title, description, siteName, marketplace } = link;
  const webUrl = withoutStart(link.webUrl, WEB_URL_START);
  const imageUrl = link.imageUrl === null ? null : withoutStart(link.imageUrl, IMAGE_URL_START);
  const texts = [title, description, imageUrl, siteName] as const;
  const fields: LiveFields = [revision, webUrl, expiresAt, ...texts, marketplace];
  const { routed, fallbackPage, isUntagged, assistantsGetTag, arms } = link;
  if (fallbackPage || isUntagged || assistantsGetTag || arms)
    fields.push(routed, { fallbackPage, isUntagged, assistantsGetTag, arms });
  else if (routed !== null) fields.push(routed);
  return fields;
}

function linkOf(fields: LiveFields | GoneFields): Link {
  if (fields.length === 2) return { state: "gone", revision: fields[0], reason: fields[1] };
  const [revision, storedUrl, expiresAt, title, description, storedImage, siteName, ...rest] = fields;
  const [marketplace, routed = null, others] = rest;
  const webUrl = withStart(storedUrl, WEB_URL_START);
  const imageUrl = storedImage === null ? null : withStart(storedImage, IMAGE_URL_START);
  const texts = { title, description, imageUrl, siteName };
  const link: LiveLink = {
    state: "live",
    revision,
    webUrl,
    expiresAt,
    ...texts,
    marketplace,
    routed,
  };
  return others === undefined ? link : { ...link, ...others };
}

function withoutStart(url: string, start: string): StoredUrl {
  return url.startsWith(start) ? url.slice(start.length) : [url];
}

function withStart(stored: StoredUrl, start: string): string {
  return typeof stored === "string" ? start + stored : stored[0];
}
