import { URL_MAX_BYTES } from "../limits.ts";
import { addTag, TAG_PATTERN } from "./add-tag.ts";
import { parseAmazonUrl, parseNewDestination, parseStorePage } from "./amazon-url.ts";
import type { Defect } from "./defects.ts";
import { ATTRIBUTION_TAG, isCart, isTag, OTHER_TAG_NAMES } from "./earning-tags.ts";
import { addressesIn, DASH, encodeBlanks, findAmazonUrl, joinSearch } from "./find-amazon-url.ts";
import { findStore } from "./hosts.ts";
import { decodeOnce, EMBEDDED, ENDED, MAX_DECODINGS, namedPage } from "./named-page.ts";
import { readableAddress, TAG_WITH_SUFFIX } from "./readable-address.ts";
import { setTag } from "./set-tag.ts";
import { tagsAt, tagsOf } from "./tag-health.ts";
import { parseWebAddress } from "./web-address.ts";

export interface Repair {
  /** Accepted by parseNewDestination, and needs no repair. */
  url: string;
  /** At least one, in the order in which they were repaired. */
  defects: readonly Defect[];
}

/** An address within another one is encoded, which makes it up to three times as long. */
const TEXT_MAX_LENGTH = 4 * URL_MAX_BYTES;
/** More than there are defects: some can appear again within a wrapper. */
const MAX_STEPS = 10;
/** How many parameters of an address are examined for another address, and how many addresses may be around it. */
const INSIDE_MAX_COUNT = 20;
const INSIDE_MAX_DEPTH = 3;

/**
 * The address that was probably meant. It is only an offer: an address is never changed without its user. Takes time in proportion
 * to the length of the text.
 * @returns null if the address needs no repair, or none is known that makes it a destination
 */
export function repairAmazonUrl(text: string): Repair | null {
  let url = text.trim();
  if (url.length > TEXT_MAX_LENGTH) return null;
  const defects = new Set<Defect>();
  for (let n = 0; n < MAX_STEPS; n++) {
    const step = nextStep(url);
    if (step === null) {
      const isRepaired = defects.size > 0 && isDestination(url) && keepsTag(text, url);
      return isRepaired ? { url, defects: [...defects] } : null;
    }
    url = step.url;
    defects.add(step.defect);
  }
  return null;
}

/** Says whether a page keeps its tag, or more of it, and gets no other that earns. */
function keepsTag(text: string, url: string): boolean {
  const [before, after] = [tagsAt(text), tagsAt(url)];
  if (before === null || after === null) return true;
  const own = before.find((tag) => tag !== ATTRIBUTION_TAG) ?? before[0];
  const [start = ""] = /^[\w.-]*/.exec(own ?? "") ?? [];
  return (
    after.length <= Math.max(1, before.length) && (own === undefined || after.some((tag) => tag.startsWith(start)))
  );
}

/** As repairAmazonUrl, for texts in which an address is found: what is around it needs no repair. */
export function repairFoundUrl(text: string): Repair | null {
  const found = withoutBlanks(text.trim()) === text.trim() ? findAmazonUrl(text) : null;
  return repairAmazonUrl(found !== null && isDestination(found) ? found : text);
}

interface Step {
  url: string;
  defect: Defect;
}

function nextStep(text: string): Step | null {
  const [, linked] = LINKED.exec(text) ?? [];
  if (linked !== undefined) return { url: linked, defect: "text-around" };
  const [, ofApp, ofIntent] = APP_ADDRESS.exec(text) ?? [];
  const page = ofApp ?? ofIntent;
  if (page !== undefined) return { url: `https://${page.replace("/products/", "/dp/")}`, defect: "wrapper" };
  const bare = withoutEnd(text);
  const search = withoutBlanks(bare);
  if (search !== bare && isDestination(search)) return { url: search, defect: "blanks" };
  const book = withIsbn10(bare);
  if (book !== null) return { url: book, defect: "isbn-13" };
  const found = isDestination(bare) ? bare : findAmazonUrl(bare);
  const isFound = found !== null && isDestination(found);
  if (isFound && found !== text) return { url: found, defect: "text-around" };
  const decoded = decodeEntities(text);
  if (decoded !== text && (!isFound || isDestination(decoded))) return { url: decoded, defect: "entities" };
  if (isFound) return repairTags(text);
  const product = (found ?? "").replace(AROUND_ASIN, "$1$2");
  if (product !== found && parseAmazonUrl(product).kind === "product") return { url: product, defect: "text-around" };
  const [embedded = "", preview] = EMBEDDED.exec(text) ?? [];
  const complete = embedded.replace(/^\/\//, "https://");
  if (embedded !== "" && complete !== text) return { url: complete, defect: "text-around" };
  const started = withStart(text);
  if (started !== undefined) return { url: started, defect: "start" };
  const url = unwrap(text);
  const isEnded = embedded !== "" || ENDED.test(text);
  return url ? { url, defect: preview ? "preview" : isEnded ? "ended" : "wrapper" } : null;
}

/** What programs and people leave before or behind an ASIN: `B0ZZ1Y2X3W)`, `%E2%80%8BB0ZZ1Y2X3W`. */
const AROUND_ASIN =
  /(\/(?:dp|gp\/product|gp\/aw\/d|gp\/offer-listing|asin|product-reviews)\/)(?:%[\da-f]{2}|[^\w/?#%])*(B[\dA-Z]{9}|\d{9}[\dX])(?:(?:%[\da-f]{2}|[^\w/?#%])[^/?#]*)?(?=[/?#]|$)/i;

/** What is before a host: a scheme that is repeated, cut or mistyped (`https//`, `https:/`, `htps://`, `//`), and `wwww.`. */
const START =
  /^[([<"']?(?:(?:h{0,2}(?:t{1,3}p{1,2}|xxp)s{0,2}[:;.,：]{0,3}[/\\]{0,4}){0,3}|[/\\]{2,4})(w{2,5}[.,]{1,2})?(?:w{2,5}[.,]{1,2}){0,2}((?:[a-z\d-]+\.)+[a-z]{2,7})\.?(?::443|:80)?(?=[/?])/i;

function withStart(text: string): string | undefined {
  const words = text.split(/\s+/).map((word) => (decodeAddress(word) || word).replaceAll("\\", "/"));
  return words
    .map((word) => word.replace(START, (_, www, host) => `https://${www ? "www." : ""}${host}`))
    .find(isDestination);
}

function isDestination(text: string): boolean {
  return parseNewDestination(text).kind !== "refused";
}

const APP_ADDRESS = /^(?:com\.amazon\.mobile\.shopping(?:\.web)?:\/\/(\S+)|intent:\/\/([^\s#]+)#Intent;\S*)$/i;
/** A search at the end of a text, whose words have blanks between them. */
const SEARCH_AT_END = /^(https?:\/\/[^\s#]+[?&](?:k|field-keywords)=)(\S{1,100}(?:\s{1,3}[^\s&#/]{1,40}){1,10})$/i;

function withoutBlanks(text: string): string {
  const joined = joinSearch(text).replace(
    SEARCH_AT_END,
    (_, start: string, words: string) => start + encodeBlanks(words),
  );
  return /\s/.test(joined) ? text : joined;
}

const ISBN_13_PAGE = /^(https?:\/\/[^/?#]+)(\/(?:[^?#]*\/)?(?:dp|gp\/product)\/)(97[89](?:-?\d){10})(?=[/?#&]|$)/i;

/** The page of a book by its ISBN-10, which each ISBN-13 with 978 has; with 979, a search for it. */
function withIsbn10(url: string): string | null {
  const [all = "", origin, path, isbn13 = ""] = ISBN_13_PAGE.exec(url) ?? [];
  const digits = [...isbn13.replaceAll("-", "")].map(Number);
  const isValid = digits.reduce((sum, digit, at) => sum + digit * (at % 2 === 0 ? 1 : 3), 0) % 10 === 0;
  if (all === "" || !isValid) return null;
  const rest = url.slice(all.length);
  if (digits[2] === 9) return rest.startsWith("/") ? null : `${origin}/s?k=${digits.join("")}${rest.replace("?", "&")}`;
  const kept = digits.slice(3, 12);
  const check = (11 - (kept.reduce((sum, digit, at) => sum + digit * (10 - at), 0) % 11)) % 11;
  return `${origin}${path}${kept.join("")}${check === 10 ? "X" : check}${rest}`;
}

const LINKED = /\bhref=["']([^"'\s<>]+)/i;
/** Some apps copy invisible characters, which browsers encode. The bound keeps the search linear. */
const INVISIBLE_END = /(?:[\p{Cf}\s]|%C2%A0|%E2%80%8[B-F]|%E2%81%A0|%EF%BB%BF){1,20}$/iu;
const ESCAPED_END = /(?:[\p{Cf}\s]|%[\da-f]{2}){1,20}$/iu;

function withoutEnd(text: string): string {
  return text.replace(isDestination(text) ? INVISIBLE_END : ESCAPED_END, "");
}

/** Escaped any number of times. Some programs encode the semicolon. */
const AMPERSAND = /&(?:(?:amp|#0{0,5}38|#x0{0,5}26)(?:;|%3B))+/gi;
const ENTITY = /&#(?:(\d{2,7})|x([\da-f]{2,7}));/gi;

function decodeEntities(text: string): string {
  const plain = text.replace(AMPERSAND, "&").replace(/&(?:[mn]dash|minus|shy|hyphen|dash);/gi, "-");
  return plain.replace(ENTITY, (entity, decimal?: string, hex = "") => {
    const character = String.fromCharCode(decimal ? Number(decimal) : Number.parseInt(hex, 16));
    return /[ -~]/.test(character) ? character : character.replace(SPACED_DASHES, "-").replace(/[^-]/, entity);
  });
}

/**
 * Returns the target of an address of another site that counts or checks links, as apps, mail programs and networks write them: the address in
 * one of its parameters, or behind its own; a destination, or one that leads to it.
 */
function unwrap(text: string): string | null {
  return (
    addressesIn(text)
      .flatMap(insideOf)
      .find((url) => leadsToAmazon(url, INSIDE_MAX_DEPTH)) ?? null
  );
}

function leadsToAmazon(url: string, depth: number): boolean {
  const plain = decodeEntities(url);
  if (isDestination(url) || isDestination(plain)) return true;
  return depth > 0 && insideOf(plain).some((inside) => leadsToAmazon(inside, depth - 1));
}

/** `https://x.example/?https://…`, `https://x.example/__https://…__;!!x` */
const BEHIND = /^https?:\/\/[^?]*[?/_](https?(?::|%(?:25)*3a).*?)(?:__;.*)?$/is;

function insideOf(outer: string): string[] {
  const [, behind = ""] = BEHIND.exec(outer) ?? [];
  const [, ...queries] = outer.split("?");
  const parameters = queries.join("?").split("&");
  const values = parameters.slice(0, INSIDE_MAX_COUNT).map((each) => each.slice(each.indexOf("=") + 1));
  // Not encoded: what follows may belong to it, such as the tag, and is read as a part of it only.
  const at = values.findIndex((value) => /^https?:\/\/[^?]*\?/i.test(value));
  const plain = at === -1 ? [] : [[values[at], ...parameters.slice(at + 1)].join("&")];
  const named = [...values.slice(0, at === -1 ? undefined : at).map(decodeAddress), ...plain];
  const { host = "" } = parseWebAddress(outer) ?? {};
  const isOfStore = findStore(host) !== null;
  // Amazon's own redirectors lead to paths too, and have the tag beside the page.
  const paths = isOfStore ? values.map(decodeOnce).filter((value) => /^\/[^/\\]/.test(value)) : [];
  return [namedPage(outer), ...named, ...paths.map((path) => host + path), decodeAddress(behind)].flatMap((inside) => {
    if (inside === "") return [];
    const complete = /^https?:/i.test(inside) ? inside : `https://${inside}`;
    const bare = withoutEnd(complete);
    const url = isDestination(bare) ? bare : complete;
    const tag = isOfStore && /[?&]tag=([\w.-]{1,64})(?:[&#]|$)/i.exec(outer)?.[1];
    return (tag && addTag(url, tag)) || url;
  });
}

/** Without a path it may be a word: `q=amazon.de`. */
const ADDRESS = /^(?:https?:\/\/)?[a-z\d-]+(?:\.[a-z\d-]+)+(?::\d+)?[/?]./i;

/** An address, decoded as often as it was encoded; empty if the text is none. A mail filter writes `-3A` for `%3A`, and `_` for `/`. */
function decodeAddress(text: string): string {
  let address = /^https?-3A__/i.test(text) ? text.replaceAll("-", "%").replaceAll("_", "/") : text;
  for (let n = 0; n < MAX_DECODINGS && !ADDRESS.test(address); n++) address = decodeOnce(address);
  return ADDRESS.test(address) ? address : "";
}

/** A tag under a name that pages of Amazon took. Pages of products ignore it. */
const OTHER_NAME = new RegExp(`([?&])(?:${OTHER_TAG_NAMES})(?==[\\w.-]+(?:[&#]|$))`, "i");
/** Punctuation after a tag at the end. The bound keeps the search linear. */
const AFTER_TAG = /(?<=[?&]tag=[\w.-]{1,90}-2\d)(?:[^a-z\d&#%-]|%[\da-f]{2}){1,20}$/i;
const PARAMETER = /(?<=[?&])([^=&#]+)=([^&#]+)/g;
const EMPTY_TAG = /(?<=[?&])tag=?(?:&|(?=#|$))/g;

const SPACED_DASHES = new RegExp(`[\\s+]{0,3}${DASH}{1,9}[\\s+]{0,3}`, "gu");

function withHyphens(parameter: string, name: string, value: string): string {
  if (!isTag(`${name}=`)) return parameter;
  let tag = value;
  for (let n = 0; n < MAX_DECODINGS && tag.includes("%"); n++) {
    tag = decodeOnce(tag) || decodeOnce(tag.replaceAll(/%(?:9[67]|ad)/gi, "–").replaceAll(/%a0/gi, "+"));
  }
  const hyphenated = tag.replace(SPACED_DASHES, "-");
  return hyphenated !== tag && TAG_PATTERN.test(hyphenated) ? `${name}=${hyphenated}` : parameter;
}

/** Only the first tag that is not empty, and not Attribution's, is kept; without one, a tag of another name gets the name `tag`. */
function repairTags(url: string): Step | null {
  const page = parseStorePage(url);
  if (page === null) return null;
  const readable = tagsOf(page).some((tag) => TAG_WITH_SUFFIX.test(tag)) ? null : readableAddress(url);
  if (readable !== null) return { url: readable, defect: "misplaced" };
  const ended = url.replace(AFTER_TAG, "");
  if (ended !== url) return { url: ended, defect: "text-around" };
  const hyphenated = url.replace(PARAMETER, withHyphens);
  if (hyphenated !== url) return { url: hyphenated, defect: "hyphen" };
  const { pathname, searchParams } = new URL(url);
  const all = searchParams.getAll("tag");
  const tags = all.filter((tag) => tag !== "");
  const first = tags.find((tag) => tag !== ATTRIBUTION_TAG) ?? tags[0];
  if (first !== undefined) {
    const tagged = all.length > 1 ? setTag(url, first) : null;
    if (tagged === null) return null;
    return { url: tagged, defect: tags.length > 1 ? "several-tags" : "empty-tag" };
  }
  const renamed = isCart(pathname) || tagsOf(page).length > 0 ? url : url.replace(OTHER_NAME, "$1tag");
  if (renamed !== url) return { url: renamed, defect: "tag-name" };
  const bare = url.replace(EMPTY_TAG, "").replace(/[?&](?=#|$)/, "");
  return all.length > 0 && bare !== url ? { url: bare, defect: "empty-tag" } : null;
}
