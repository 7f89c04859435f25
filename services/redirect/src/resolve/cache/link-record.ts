import type { RoutedProduct } from "@tapthru/proto/rules/routing/route-visit";
import type { Link, LiveLink } from "../../link.ts";
import type { CachedLink } from "./cached-link.ts";

/** Times are stored in tenths of a second, in four bytes each. */
const TIME_UNIT_MS = 100;
const TIMES_BYTES = 8;

type LiveFields = [
  revision: number,
  webUrl: string,
  expiresAt: number | null,
  title: string | null,
  description: string | null,
  imageUrl: string | null,
  siteName: string | null,
  marketplace: LiveLink["marketplace"],
  /** Absent for most links. */
  routed?: RoutedProduct,
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
  const { revision, webUrl, expiresAt, title, description, imageUrl, siteName, marketplace } = link;
  const texts = [title, description, imageUrl, siteName] as const;
  const fields: LiveFields = [revision, webUrl, expiresAt, ...texts, marketplace];
  if (link.routed !== null) fields.push(link.routed);
  return fields;
}

function linkOf(fields: LiveFields | GoneFields): Link {
  if (fields.length === 2) return { state: "gone", revision: fields[0], reason: fields[1] };
  const [revision, webUrl, expiresAt, title, description, imageUrl, siteName, ...rest] = fields;
  const [marketplace, routed = null] = rest;
  const texts = { title, description, imageUrl, siteName };
  return { state: "live", revision, webUrl, expiresAt, ...texts, marketplace, routed };
}
