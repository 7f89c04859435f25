import { URL_MAX_BYTES } from "../limits.ts";
import { TAG_PATTERN } from "./add-tag.ts";
import { parseNewDestination } from "./amazon-url.ts";
import type { Defect } from "./defects.ts";
import { addressesIn, findAmazonUrl } from "./find-amazon-url.ts";
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
  const bare = withoutInvisibleEnd(text);
  const found = isDestination(bare) ? bare : findAmazonUrl(bare);
  const isFound = found !== null && isDestination(found);
  if (isFound && found !== text) return { url: found, defect: "text-around" };
  const decoded = decodeEntities(text);
  if (decoded !== text && (!isFound || isDestination(decoded)))
    return { url: decoded, defect: "entities" };
  if (isFound) return repairTags(text);
  const inside = unwrap(text);
  return inside === null ? null : { url: inside, defect: "wrapper" };
}

function isDestination(text: string): boolean {
  return parseNewDestination(text).kind !== "refused";
}

const INVISIBLE_END = /(?:[\p{Cf}\s]|%C2%A0|%E2%80%8[B-F]|%E2%81%A0|%EF%BB%BF)$/iu;
const INVISIBLE_MAX_LENGTH = "%E2%80%8B".length;

function withoutInvisibleEnd(text: string): string {
  let end = text.length;
  for (;;) {
    const last = INVISIBLE_END.exec(text.slice(Math.max(0, end - INVISIBLE_MAX_LENGTH), end));
    if (last === null) return text.slice(0, end);
    end -= last[0].length;
  }
}

/** Those that stand for characters of addresses, or for what is around them. */
const NAMED_ENTITIES: Readonly<Record<string, string>> = {
  amp: "&",
  apos: "'",
  colon: ":",
  equals: "=",
  gt: ">",
  lt: "<",
  nbsp: " ",
  num: "#",
  percnt: "%",
  period: ".",
  quest: "?",
  quot: '"',
  sol: "/",
};
/** Any number of times escaped. */
const AMPERSAND = /&(?:(?:amp|#0{0,5}38|#x0{0,5}26)(?:;|%3B))+/gi;
const ENTITY = /&(?:#(\d{1,7})|#x([\da-f]{1,7})|([a-z]{2,6}))(?:;|%3B)/gi;

/** Some programs encode the semicolon of an entity, as if it were a part of the address. */
function decodeEntities(text: string): string {
  return text
    .replace(AMPERSAND, "&")
    .replace(ENTITY, (entity, decimal?: string, hex?: string, name = "") => {
      const code = decimal ? Number(decimal) : Number.parseInt(hex ?? "", 16);
      const isAscii = code >= 0x20 && code < 0x7f;
      return isAscii ? String.fromCharCode(code) : (NAMED_ENTITIES[name.toLowerCase()] ?? entity);
    });
}

/** Addresses with which apps and mail programs count or check links: host, path in lower case, parameters that have the address. */
const WRAPPERS: readonly (readonly [host: RegExp, path: RegExp, names: readonly string[]])[] = [
  [/^(?:www\.|m\.|music\.)?youtube\.com$/, /^\/redirect\/?$/, ["q"]],
  [/^(?:lm?|www|m)\.(?:facebook|messenger|workplace)\.com$/, /^\/l\.php\/?$/, ["u"]],
  [/^lm?\.(?:instagram|threads)\.(?:com|net)$/, /^\//, ["u"]],
  [/^(?:www\.|m\.)?google\.(?:com?\.)?[a-z]{2,3}$/, /^\/url\/?$/, ["q", "url"]],
  [/\.safelinks\.protection\.outlook\.com$/, /^\//, ["url"]],
  [/^(?:buy\.geni\.us|target\.georiot\.com)$/, /^\/proxy\.ashx\/?$/, ["gr_url"]],
];

/** The first destination inside an address of such a site in the text, decoded once. */
function unwrap(text: string): string | null {
  for (const outer of addressesIn(text)) {
    const address = parseWebAddress(outer);
    if (address === null) continue;
    const path = address.path.toLowerCase();
    const wrapper = WRAPPERS.find(([host, paths]) => host.test(address.host) && paths.test(path));
    const inside = wrapper && insideOf(address.pathAndQuery, wrapper[2]);
    if (inside) return inside;
  }
  return null;
}

function insideOf(pathAndQuery: string, names: readonly string[]): string | undefined {
  const [, ...queries] = pathAndQuery.split("?");
  const parameters = queries.join("?").split("&");
  return parameters
    .flatMap((parameter, at) => {
      const [name = "", ...rest] = parameter.split("=");
      if (!names.includes(name.toLowerCase())) return [];
      const value = rest.join("=");
      // Not encoded: what follows may belong to it, such as the tag.
      const isPlain = /^https?:\/\/[^?]*\?/i.test(value);
      const inside = isPlain ? [value, ...parameters.slice(at + 1)].join("&") : decodeOnce(value);
      return /^https?:/i.test(inside) ? inside : `https://${inside}`;
    })
    .find((inside) => isDestination(inside) || isDestination(decodeEntities(inside)));
}

function decodeOnce(text: string): string {
  try {
    return decodeURIComponent(text);
  } catch {
    return "";
  }
}

/** Names under which pages of Amazon took a tag. Pages of products ignore them. */
const OTHER_TAG_NAME = /^(?:(?:assoc(?:iates?)?|affiliate)[-_]?(?:tag|id)|tag)$/i;
/** Pages that take such names until today: /gp/aws/cart/add.html?AssociateTag= */
const OTHER_NAME_PATH = /\/(?:cart|assoc)\//i;

/** Keeps the first `tag` that is not empty, else gives one of another name the name `tag`. No other byte changes. */
function repairTags(url: string): Step | null {
  const [beforeFragment = ""] = url.split("#", 1);
  const [path = "", ...queries] = beforeFragment.split("?");
  if (queries.length === 0 || parseNewDestination(url).kind === "short") return null;
  const parameters = queries
    .join("?")
    .split("&")
    .map((raw) => {
      const [[name = "", value = ""] = []] = new URLSearchParams(`&${raw}`);
      return { raw, name, value, isTag: name === "tag" };
    });
  const tags = parameters.filter(({ isTag }) => isTag);
  const kept = tags.find(({ value }) => value !== "");
  const other = parameters.find(
    ({ isTag, name, value }) => !isTag && OTHER_TAG_NAME.test(name) && TAG_PATTERN.test(value),
  );
  const withQuery = (rawParameters: readonly string[]) => {
    const query = rawParameters.length > 0 ? `?${rawParameters.join("&")}` : "";
    return path + query + url.slice(beforeFragment.length);
  };
  if (!kept && other && !OTHER_NAME_PATH.test(path)) {
    const raws = parameters.map((each) =>
      each === other ? each.raw.replace(/^[^=]*/, "tag") : each.raw,
    );
    return { url: withQuery(raws), defect: "tag-name" };
  }
  if (tags.length === (kept ? 1 : 0)) return null;
  const raws = parameters.filter((each) => !each.isTag || each === kept).map(({ raw }) => raw);
  const hasOther = tags.some((tag) => tag !== kept && tag.value !== "");
  return { url: withQuery(raws), defect: hasOther ? "several-tags" : "empty-tag" };
}
