import { addTag } from "@tapthru/proto/rules/amazon/add-tag";
import { splitPath } from "@tapthru/proto/rules/amazon/amazon-path";
import {
  isStorePage,
  parseNewDestination,
  parseStorePage,
  type StorePage,
} from "@tapthru/proto/rules/amazon/amazon-url";
import { isCart } from "@tapthru/proto/rules/amazon/earning-tags";
import type { Marketplace } from "@tapthru/proto/rules/amazon/marketplaces";
import { repairAmazonUrl } from "@tapthru/proto/rules/amazon/repair-url";
import { setTag } from "@tapthru/proto/rules/amazon/set-tag";
import { type TagHealth, tagHealth, tagHealthIn, tagsAt, tagsOf } from "@tapthru/proto/rules/amazon/tag-health";

/** Why an address pays or not, by its text alone. `sound`: its tag pays the owner of the tag. */
export type Reason = TagHealth["kind"] | "broken" | "short" | "wrapped";

export interface Classification {
  reason: Reason;
  /** The address that was meant, accepted by parseNewDestination, perhaps without a tag. Null if it is not known. */
  meant: string | null;
  /** Null for short links. */
  marketplace: Marketplace | null;
  /** Those of the address, wherever they stand in it. */
  tags: readonly string[];
  /** True if it leads to a product, a store, a search or a list of products. Others are worth no tag, such as home, help and orders. */
  isShop: boolean;
}

export interface Place {
  /** A file of an archive has the archive's name before its own. */
  file: string;
  line: number | null;
  title: string;
}

export interface FoundLink extends Classification {
  address: string;
  /** At least one. */
  places: Place[];
}

/** Searches, categories, and lists such as those of best sellers, of deals and of an author's books, some below a name. */
const LIST =
  /^(?:gp\/)?(?:stores|video\/detail|(?:[^/]+\/)?(?:s|b|l|e|zgbs|search|browse|bestsellers|new-releases|most-wished-for|most-gifted|movers-and-shakers|goldbox|deals?|events?))(?:[/.]|$)/i;

function isShop(page: StorePage): boolean {
  const { pathname } = new URL(page.webUrl);
  const path = splitPath(pathname).join("/");
  const isProduct = page.kind === "product" || (page.kind === "other" && page.lacksAsin);
  return isProduct || isCart(pathname) || LIST.test(path);
}

/**
 * @param address complete, of any site
 * @returns null if it leads to no page of Amazon's stores
 */
export function classifyLink(address: string): Classification | null {
  const given = parseNewDestination(address);
  const repair = repairAmazonUrl(address);
  const refusal = given.kind === "refused" ? given.code : null;
  const meant = repair?.url ?? (refusal === null ? address : null);
  const page = parseStorePage(meant ?? address);
  if (page === null) {
    if (meant === null && (refusal === "not-an-amazon-link" || refusal === "not-a-shopping-page")) return null;
    const tags = given.kind === "short" && given.tag !== null ? [given.tag] : [];
    const reason = meant === null || repair?.defects.includes("start") ? "broken" : "short";
    return { reason, meant, marketplace: null, tags, isShop: meant !== null || refusal === "link-too-long" };
  }
  const found = { meant, marketplace: page.marketplace, tags: tagsOf(page), isShop: isShop(page) };
  const leadsNowhere = refusal === "link-incomplete" || /ended|isbn-13|start/.test(String(repair?.defects));
  const isWorthTag = found.isShop || found.tags.length > 0;
  if (meant === null || leadsNowhere) return { ...found, isShop: isWorthTag, reason: "broken" };
  const health = tagHealth(isStorePage(given) ? given : page);
  if (health.kind === "several") return { ...found, reason: "several", tags: health.tags };
  if (repair?.defects.includes("several-tags")) return { ...found, reason: "several" };
  if (health.kind !== "none") return { ...found, reason: health.kind };
  if (repair?.defects.includes("wrapper")) return { ...found, reason: "wrapped" };
  return { ...found, reason: found.tags.length > 0 ? "misplaced" : "none" };
}

/** `lost`: pays nothing; `unclear`: its text does not say what it pays; `others`: the tag belongs to another person; `idle`: is worth no tag. */
export type Group = "lost" | "unclear" | "others" | "pays" | "idle";

const UNCLEAR: readonly Reason[] = ["short", "wrapped", "onelink", "several", "unusual", "attribution"];
/** Addresses that pay no one, even the user who wrote them. */
const ANYBODYS: readonly Reason[] = ["placeholder", "broken"];

/** The tags of a user, in lower case: Amazon reads them without case. */
export type OwnTags = ReadonlySet<string>;

const isOneOf = (own: OwnTags) => (tag: string) => own.has(tag.toLowerCase());

export function groupOf({ reason, tags, isShop }: Classification, own: OwnTags): Group {
  const isOthers = tags.length > 0 && !tags.some(isOneOf(own)) && !ANYBODYS.includes(reason);
  if (isOthers) return "others";
  if (reason === "sound") return "pays";
  if (!isShop) return "idle";
  return UNCLEAR.includes(reason) ? "unclear" : "lost";
}

export function sortLinks(links: readonly FoundLink[], own: OwnTags): Record<Group, FoundLink[]> {
  const groups: Record<Group, FoundLink[]> = { lost: [], unclear: [], others: [], pays: [], idle: [] };
  for (const link of links) groups[groupOf(link, own)].push(link);
  return groups;
}

/** The address that was meant, with a tag of the user's that its store pays. Null if it is not known, or has the tag of another. */
export function repairedUrl({ meant, marketplace, reason, tags }: Classification, own: OwnTags): string | null {
  if (meant === null || marketplace === null) return meant;
  const isOwn = isOneOf(own);
  const hasOthers = (url: string) => tagsAt(url)?.some((tag) => !isOwn(tag)) ?? false;
  const tag = [...tags.filter(isOwn), ...own].find((each) => tagHealthIn(marketplace, each).kind === "sound");
  const change = reason === "foreign" || hasOthers(meant) ? setTag : addTag;
  const url = (tag !== undefined && change(meant, tag)) || meant;
  return hasOthers(url) ? null : url;
}

/** How many places have each tag, in lower case, most frequent first, without examples of guides. */
export function countTags(links: readonly FoundLink[]): Map<string, number> {
  const counts = new Map<string, number>();
  for (const { tags, reason, places } of links) {
    if (reason === "placeholder" || reason === "attribution") continue;
    for (const tag of new Set(tags.map((each) => each.toLowerCase()))) {
      counts.set(tag, (counts.get(tag) ?? 0) + places.length);
    }
  }
  return new Map([...counts].sort(([, one], [, other]) => other - one));
}

/** The most frequent one, if no other is in half as many places: it may be a rival's. */
export function guessOwn([first, second]: ReadonlyMap<string, number>): string[] {
  return first && 2 * (second?.[1] ?? 0) < first[1] ? [first[0]] : [];
}
