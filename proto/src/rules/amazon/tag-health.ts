import { TAG_MAX_LENGTH } from "../limits.ts";
import { parseStorePage, type StorePage } from "./amazon-url.ts";
import { ATTRIBUTION_TAG, isTag, tagsIn } from "./earning-tags.ts";
import { MARKETPLACES, type Marketplace } from "./marketplaces.ts";
import { isOneLinkStore, ONELINK_HOME } from "./onelink.ts";
import { readableAddress, TAG_WITH_SUFFIX } from "./readable-address.ts";

/** The state of an affiliate tag by its form alone; only Amazon knows its owner. */
export type TagHealth =
  | { kind: "none" }
  /** It is where Amazon does not read it, as `readableAddress` finds it, or under a name that only carts take. */
  | { kind: "misplaced"; tag: string }
  | { kind: "sound"; tag: string }
  | { kind: "attribution"; tag: string }
  /** Several different tags: Amazon does not document which one counts, and forbids an associate's beside ATTRIBUTION_TAG. */
  | { kind: "several"; tags: readonly string[] }
  /** The suffix of amazon.com, in a store where Amazon OneLink can pay such tags. `isServed`: the owner says that it does. */
  | { kind: "onelink"; tag: string; isServed: boolean }
  /** The suffix of another country; tags of this store usually have `suffix`. */
  | { kind: "foreign"; tag: string; suffix: string }
  /** The example of a program or a guide, such as `yourtag-20`. */
  | { kind: "placeholder"; tag: string }
  /** No usual suffix. Such tags exist, but most are typing errors. */
  | { kind: "unusual"; tag: string };

const PLACEHOLDER =
  /^(?=.{0,60}(?:your|tag|affiliate|associate|xxx))(?:your|my|amazon|affiliate|associates?|partner|tracking|tag|store|id|here|x|dein|[-_.])+(?:2\d)?$/i;
/** A value of a program, the word of a template, or a tag to which a program added an ending of a store again: `xmas-25-21` names a year. */
const LEFT_OVER =
  /^(?:(?:undefined|null|none|nan|example|sample|placeholder|change-?me|replace-?me|todo)(?:-2\d)?$|.*-2[0-2]-2\d$|[[{<($%]+[a-z][\w. -]*(?:$|[^\w. -]))/i;

/**
 * Checks the tag of a store page; changes nothing. An associate's tag works only in the store it was issued
 * for (webservices.amazon.com/paapi5/documentation/common-request-parameters.html), and where OneLink serves it.
 * @param served the stores that OneLink serves for the owner
 */
export function tagHealth(
  page: Pick<StorePage, "webUrl" | "marketplace">,
  served: readonly Marketplace[] = [],
): TagHealth {
  const [tag, ...others] = tagsOf(page);
  if (tag === undefined) {
    const misplaced = misplacedTag(page.webUrl);
    return misplaced === null ? { kind: "none" } : { kind: "misplaced", tag: misplaced };
  }
  if (others.length > 0) return { kind: "several", tags: [tag, ...others] };
  return tagHealthIn(page.marketplace, tag, served);
}

export function tagHealthIn(marketplace: Marketplace, tag: string, served: readonly Marketplace[] = []): TagHealth {
  if (tag === ATTRIBUTION_TAG) return { kind: "attribution", tag };

  if ([PLACEHOLDER, LEFT_OVER].some((each) => each.test(tag.slice(0, TAG_MAX_LENGTH))))
    return { kind: "placeholder", tag };
  const [, ending] = TAG_WITH_SUFFIX.exec(tag) ?? [];
  if (ending === undefined) return { kind: "unusual", tag };
  const suffix = MARKETPLACES[marketplace].tagSuffix;
  if (suffix === null || ending === suffix) return { kind: "sound", tag };
  return isOneLinkStore(marketplace) && ending === MARKETPLACES[ONELINK_HOME].tagSuffix
    ? { kind: "onelink", tag, isServed: served.includes(marketplace) }
    : { kind: "foreign", tag, suffix };
}

function misplacedTag(webUrl: string): string | null {
  const readable = readableAddress(webUrl);
  const named = [...new URL(webUrl).searchParams].find(([name, tag]) => isTag(`${name}=`) && TAG_WITH_SUFFIX.test(tag));
  return (readable && tagsAt(readable)?.[0]) || (named?.[1] ?? null);
}

export function tagsOf({ webUrl }: Pick<StorePage, "webUrl">): string[] {
  const { pathname, search } = new URL(webUrl);
  return tagsIn(pathname, search);
}

export function tagsAt(address: string): string[] | null {
  const page = parseStorePage(address);
  return page && tagsOf(page);
}
