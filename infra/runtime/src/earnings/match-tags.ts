import { parseStorePage, type StorePage } from "@tapthru/proto/rules/amazon/amazon-url";
import type { EarningsMatch } from "@tapthru/proto/rules/earnings";

interface TaggedLink {
  id: number;
  webUrl: string;
  /** Its own channel, or the default channel. */
  channelId: number;
  isRouted: boolean;
}

/** A tracking id that a channel has in a store, or had. */
interface ChannelTag {
  channelId: number;
  marketplace: string;
  tag: string;
  isPresent: boolean;
}

export interface TagSources {
  links: readonly TaggedLink[];
  earlierDestinations: readonly { linkId: number; webUrl: string }[];
  /** The present channel of a tag before an earlier one. */
  channelTags: readonly ChannelTag[];
}

/** What a report says about sales. Tags are compared in lower case. */
export interface ReportedSale {
  marketplace: string;
  tag: string;
  /** Empty: not said. */
  asin: string;
  /** Null: not said. */
  isDirect: boolean | null;
}

/** `links`: that have the tracking id and the product; `channelId`: that has the tracking id. */
export interface Match {
  match: EarningsMatch;
  links: readonly number[];
  channelId: number | null;
}

/** The store of a link's own destination, and the channel whose tag it has there, or else its own. */
interface Place {
  marketplace: string;
  channelId: number;
}

/** Finds the links and the channel of what reports say. */
export class TagMatcher {
  readonly #linksOfPair = new Map<string, Set<number>>();
  readonly #channelOfTag = new Map<string, number>();
  readonly #linksOfTag = new Map<string, Set<number>>();
  readonly #channelOfLink = new Map<number, number>();
  readonly #asinsOfLink = new Map<number, Set<string>>();
  readonly #placeOfLink = new Map<number, Place>();

  constructor({ links, earlierDestinations, channelTags }: TagSources) {
    for (const { channelId, marketplace, tag } of channelTags) {
      const key = keyOf(marketplace, tag);
      if (!this.#channelOfTag.has(key)) this.#channelOfTag.set(key, channelId);
    }
    const tagsOfChannel = Map.groupBy(
      channelTags.filter(({ isPresent }) => isPresent),
      ({ channelId }) => channelId,
    );
    for (const { id, webUrl, channelId, isRouted } of links) {
      this.#channelOfLink.set(id, channelId);
      const page = this.#addDestination(id, webUrl);
      if (page === null) continue;
      const ofTag = this.#channelOfTag.get(keyOf(page.marketplace, page.tag ?? ""));
      this.#placeOfLink.set(id, {
        marketplace: page.marketplace,
        channelId: ofTag ?? channelId,
      });
      for (const { marketplace, tag } of isRouted ? (tagsOfChannel.get(channelId) ?? []) : []) {
        if (marketplace !== page.marketplace) this.#addTag(id, marketplace, tag, page);
      }
    }
    for (const { linkId, webUrl } of earlierDestinations) this.#addDestination(linkId, webUrl);
  }

  match(sale: ReportedSale): Match {
    const links = [...this.#linksOf(sale)].sort((a, b) => a - b);
    const channelId = this.#channelOf(sale, links);
    if (links.length > 0) return { match: links.length === 1 ? "link" : "links", links, channelId };
    return { match: channelId === null ? "none" : "channel", links, channelId };
  }

  /** Whether a channel or a link of the user has the tracking id, or had it. */
  has(marketplace: string, tag: string): boolean {
    const key = keyOf(marketplace, tag);
    return this.#channelOfTag.has(key) || this.#linksOfTag.has(key);
  }

  /** Products of the links, or of one of them, now or earlier. */
  asins(linkId?: number): string[] {
    if (linkId !== undefined) return [...(this.#asinsOfLink.get(linkId) ?? [])];
    return [...new Set([...this.#asinsOfLink.values()].flatMap((asins) => [...asins]))];
  }

  /** Undefined if the link leads to no store. */
  placeOf(linkId: number): Place | undefined {
    return this.#placeOfLink.get(linkId);
  }

  /** None for what a report calls indirect: visitors bought something else than they had opened. */
  #linksOf({ marketplace, tag, asin, isDirect }: ReportedSale): Iterable<number> {
    if (isDirect === false) return [];
    const ofPair = asin === "" ? undefined : this.#linksOfPair.get(keyOf(marketplace, tag, asin));
    return ofPair ?? [];
  }

  #channelOf({ marketplace, tag }: ReportedSale, links: readonly number[]): number | null {
    const key = keyOf(marketplace, tag);
    const ofTag = this.#channelOfTag.get(key);
    if (ofTag !== undefined) return ofTag;
    const ofTagOrPair = links.length > 0 ? links : [...(this.#linksOfTag.get(key) ?? [])];
    const [only = null, ...others] = new Set(
      ofTagOrPair.flatMap((id) => this.#channelOfLink.get(id) ?? []),
    );
    return others.length === 0 ? only : null;
  }

  #addDestination(linkId: number, webUrl: string): StorePage | null {
    const page = parseStorePage(webUrl);
    if (page !== null && page.tag !== null) this.#addTag(linkId, page.marketplace, page.tag, page);
    return page;
  }

  #addTag(linkId: number, marketplace: string, tag: string, page: StorePage): void {
    if (!this.#channelOfLink.has(linkId)) return;
    add(this.#linksOfTag, keyOf(marketplace, tag), linkId);
    if (page.kind !== "product") return;
    add(this.#linksOfPair, keyOf(marketplace, tag, page.asin), linkId);
    add(this.#asinsOfLink, linkId, page.asin);
  }
}

function keyOf(marketplace: string, tag: string, asin = ""): string {
  return `${marketplace} ${tag.toLowerCase()} ${asin}`;
}

function add<Key, Value>(map: Map<Key, Set<Value>>, key: Key, value: Value): void {
  const values = map.get(key);
  if (values === undefined) map.set(key, new Set([value]));
  else values.add(value);
}
