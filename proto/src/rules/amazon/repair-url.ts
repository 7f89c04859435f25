import { URL_MAX_BYTES } from "../limits.ts";
import { parseNewDestination, parseStorePage } from "./amazon-url.ts";
import type { Defect } from "./defects.ts";
import { addressesIn, findAmazonUrl } from "./find-amazon-url.ts";
import { setTag } from "./set-tag.ts";
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
/** How many parameters of a wrapper are examined. */
const INSIDE_MAX_COUNT = 3;

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
      return defects.size > 0 && isDestination(url) ? { url, defects: [...defects] } : null;
    }
    url = step.url;
    defects.add(step.defect);
  }
  return null;
}

interface Step {
  url: string;
  defect: Defect;
}

function nextStep(text: string): Step | null {
  const [, linked] = LINKED.exec(text) ?? [];
  if (linked !== undefined) return { url: linked, defect: "text-around" };
  const bare = withoutEnd(text);
  const found = isDestination(bare) ? bare : findAmazonUrl(bare);
  const isFound = found !== null && isDestination(found);
  if (isFound && found !== text) return { url: found, defect: "text-around" };
  const decoded = decodeEntities(text);
  if (decoded !== text && (!isFound || isDestination(decoded))) return { url: decoded, defect: "entities" };
  if (isFound) return repairTags(text);
  const inside = unwrap(text);
  return inside === null ? null : { url: inside, defect: "wrapper" };
}

function isDestination(text: string): boolean {
  return parseNewDestination(text).kind !== "refused";
}

/** The address of a link in HTML. */
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
  return text.replace(AMPERSAND, "&").replace(ENTITY, (entity, decimal?: string, hex = "") => {
    const code = decimal ? Number(decimal) : Number.parseInt(hex, 16);
    return code >= 0x20 && code < 0x7f ? String.fromCharCode(code) : entity;
  });
}

/** Host and path of addresses with which apps and mail programs count or check links, and the parameters that have the link. */
const WRAPPERS: readonly (readonly [address: RegExp, names: readonly string[]])[] = [
  [/^(?:www\.|m\.|music\.)?youtube\.com\/redirect\/?$/, ["q"]],
  [
    /^(?:lm?|www|m|web)\.(?:facebook|messenger|workplace|instagram|threads)\.(?:com|net)\/(?:l\.php\/?|flx\/warn\/)?$/,
    ["u"],
  ],
  [/^(?:[a-z]+\.)*google\.(?:com?\.)?[a-z]{2,3}\/(?:news\/)?(?:url|linkredirect)\/?$/, ["q", "url", "dest"]],
  [/^(?:[a-z\d-]+\.)?safelinks\.protection\.outlook\.com\//, ["url"]],
  [/^(?:[a-z]+\.)?(?:geni\.us|georiot\.com)\/proxy\.ashx\/?$/, ["gr_url"]],
  [/^(?:t\.umblr\.com\/redirect|out\.reddit\.com\/.*)$/, ["z", "url"]],
];

/** What the first address of such a site in the text leads to, decoded once: a destination or another such address. */
function unwrap(text: string): string | null {
  for (const outer of addressesIn(text)) {
    const inside = insideOf(outer).find((url) => {
      const plain = decodeEntities(url);
      return isDestination(url) || isDestination(plain) || insideOf(plain).length > 0;
    });
    if (inside) return inside;
  }
  return null;
}

function insideOf(outer: string): string[] {
  const address = parseWebAddress(outer);
  const start = address ? address.host + address.path.toLowerCase() : "";
  const [, names] = WRAPPERS.find(([wrapper]) => wrapper.test(start)) ?? [];
  if (!address || !names) return [];
  const [, ...queries] = address.pathAndQuery.split("?");
  const parameters = queries.join("?").split("&");
  const named = parameters.filter((parameter) => names.includes(nameOf(parameter)));
  return named.slice(0, INSIDE_MAX_COUNT).map((parameter) => {
    const value = parameter.slice(parameter.indexOf("=") + 1);
    // Not encoded: what follows may belong to it, such as the tag.
    const isPlain = /^https?:\/\/[^?]*\?/i.test(value);
    const following = parameters.slice(parameters.indexOf(parameter) + 1);
    const inside = isPlain ? [value, ...following].join("&") : decodeOnce(value);
    const complete = /^https?:/i.test(inside) ? inside : `https://${inside}`;
    const bare = withoutEnd(complete);
    return isDestination(bare) ? bare : complete;
  });
}

function nameOf(parameter: string): string {
  const [name = ""] = parameter.split("=", 1);
  return name.toLowerCase();
}

function decodeOnce(text: string): string {
  try {
    return decodeURIComponent(text);
  } catch {
    return "";
  }
}

/** A tag under a name that pages of Amazon took. Pages of products ignore it. */
const OTHER_TAG_NAME = /([?&])(?:(?:assoc(?:iates?)?|affiliate)[-_]?(?:tag|id)|tag)(?==[\w-]+(?:[&#]|$))/i;
/** Pages that take such names until today: /gp/aws/cart/add.html?AssociateTag= */
const OTHER_NAME_PATH = /^[^?#]*\/(?:cart|assoc)\//i;
/** Punctuation after a tag at the end. The bound keeps the search linear. */
const AFTER_TAG = /(?<=[?&]tag=[\w-]{1,90}-2\d)(?:[^a-z\d&#%-]|%[\da-f]{2}){1,20}$/i;
const EMPTY_TAG = /(?<=[?&])tag=?(?:&|(?=#|$))/g;

/** Only the first tag that is not empty is kept; without one, a tag of another name gets the name `tag`. */
function repairTags(url: string): Step | null {
  if (!parseStorePage(url)) return null;
  const ended = url.replace(AFTER_TAG, "");
  if (ended !== url) return { url: ended, defect: "text-around" };
  const tags = new URL(url).searchParams.getAll("tag");
  const first = tags.find((tag) => tag !== "");
  if (first !== undefined) {
    const tagged = tags.length > 1 ? setTag(url, first) : null;
    const hasSeveral = tags.filter((tag) => tag !== "").length > 1;
    if (tagged === null) return null;
    return { url: tagged, defect: hasSeveral ? "several-tags" : "empty-tag" };
  }
  const renamed = OTHER_NAME_PATH.test(url) ? url : url.replace(OTHER_TAG_NAME, "$1tag");
  if (renamed !== url) return { url: renamed, defect: "tag-name" };
  const bare = url.replace(EMPTY_TAG, "").replace(/[?&](?=#|$)/, "");
  return tags.length > 0 && bare !== url ? { url: bare, defect: "empty-tag" } : null;
}
