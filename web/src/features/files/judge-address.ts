import { addTag } from "@tapthru/proto/rules/amazon/add-tag";
import { isStorePage, parseNewDestination, parseStorePage } from "@tapthru/proto/rules/amazon/amazon-url";
import type { Marketplace } from "@tapthru/proto/rules/amazon/marketplaces";
import { repairAmazonUrl } from "@tapthru/proto/rules/amazon/repair-url";
import { setTag } from "@tapthru/proto/rules/amazon/set-tag";
import { type TagHealth, tagHealth, tagHealthIn, tagsOf } from "@tapthru/proto/rules/amazon/tag-health";

/** What an address pays by its text alone. `sound`: its tag pays the owner of the tag. */
export type Reason = TagHealth["kind"] | "broken" | "short" | "wrapped";

export interface Judgement {
  reason: Reason;
  /** The address that was meant, accepted by parseNewDestination, perhaps without a tag. Null if it is not known. */
  meant: string | null;
  /** Null for short links. */
  marketplace: Marketplace | null;
  /** Those of the address, wherever they stand in it. */
  tags: readonly string[];
}

export interface Place {
  /** A file of an archive has the archive's name before its own. */
  file: string;
  line: number | null;
  title: string;
}

export interface FoundLink extends Judgement {
  address: string;
  /** At least one. */
  places: Place[];
}

/** A product's address of which an end is missing. */
const CUT_PRODUCT = /^[^?]*\/(?:dp|gp\/product)\/[^/?]{0,9}(?:[/?]|$)/i;

/**
 * @param address complete, of any site
 * @returns null if it leads to no page of Amazon's stores
 */
export function judgeAddress(address: string): Judgement | null {
  const given = parseNewDestination(address);
  const repair = repairAmazonUrl(address);
  const meant = repair?.url ?? (given.kind === "refused" ? null : address);
  const page = meant === null ? null : parseStorePage(meant);
  if (page === null) {
    const refusal = meant === null && given.kind === "refused" ? given.code : "";
    if (refusal === "not-an-amazon-link" || refusal === "not-a-shopping-page") return null;
    const tags = given.kind === "short" && given.tag !== null ? [given.tag] : [];
    return { reason: meant === null ? "broken" : "short", meant, marketplace: null, tags };
  }
  const found = { meant, marketplace: page.marketplace, tags: tagsOf(page) };
  if (page.kind === "other" && CUT_PRODUCT.test(page.webUrl)) return { ...found, reason: "broken", meant: null };
  const health = tagHealth(isStorePage(given) ? given : page);
  if (repair?.defects.includes("isbn-13")) return { ...found, reason: "broken" };
  if (health.kind === "several") return { ...found, reason: "several", tags: health.tags };
  if (repair?.defects.includes("several-tags")) return { ...found, reason: "several" };
  if (health.kind !== "none") return { ...found, reason: health.kind };
  if (repair?.defects.includes("wrapper")) return { ...found, reason: "wrapped" };
  return { ...found, reason: found.tags.length > 0 ? "misplaced" : "none" };
}

/** `lost`: pays nothing; `unclear`: its text does not say what it pays; `others`: the tag belongs to somebody else. */
export type Group = "lost" | "unclear" | "others" | "pays";

const UNCLEAR: readonly Reason[] = ["short", "wrapped", "onelink", "several", "unusual", "attribution"];
/** Addresses that pay nobody, even if the user wrote them. */
const ANYBODYS: readonly Reason[] = ["placeholder", "broken"];

export function groupOf({ reason, tags }: Judgement, own: ReadonlySet<string>): Group {
  const isOthers = tags.length > 0 && !tags.some((tag) => own.has(tag)) && !ANYBODYS.includes(reason);
  if (isOthers) return "others";
  if (reason === "sound") return "pays";
  return UNCLEAR.includes(reason) ? "unclear" : "lost";
}

export function sortLinks(links: readonly FoundLink[], own: ReadonlySet<string>): Record<Group, FoundLink[]> {
  const groups: Record<Group, FoundLink[]> = { lost: [], unclear: [], others: [], pays: [] };
  for (const link of links) groups[groupOf(link, own)].push(link);
  return groups;
}

/** The address that was meant, with the first of the tags that its store pays. Null if it is not known. */
export function repairedUrl({ meant, marketplace, reason }: Judgement, own: Iterable<string>): string | null {
  if (meant === null || marketplace === null) return meant;
  const tag = [...own].find((each) => tagHealthIn(marketplace, each).kind === "sound");
  if (tag === undefined) return meant;
  return (reason === "foreign" || reason === "placeholder" ? setTag(meant, tag) : addTag(meant, tag)) ?? meant;
}

/** How many places have each tag, most frequent first, without examples of guides. */
export function countTags(links: readonly FoundLink[]): Map<string, number> {
  const counts = new Map<string, number>();
  for (const { tags, reason, places } of links) {
    if (reason === "placeholder" || reason === "attribution") continue;
    for (const tag of tags) counts.set(tag, (counts.get(tag) ?? 0) + places.length);
  }
  return new Map([...counts].sort(([, one], [, other]) => other - one));
}

/** The most frequent one, if no other is in half as many places: it may be a rival's. */
export function guessOwn([first, second]: ReadonlyMap<string, number>): string[] {
  return first && 2 * (second?.[1] ?? 0) < first[1] ? [first[0]] : [];
}
