import { type CodeReplacement, lineRefusal, type Refusal } from "@tapthru/proto/http/imports";
import {
  DOMAIN_NAME_PATTERN,
  NAME_PATTERN,
  shortCodeOf,
  splitShortCode,
} from "@tapthru/proto/redirect/short-code";
import {
  type AmazonUrl,
  isStorePage,
  parseNewDestination,
  type StorePage,
} from "@tapthru/proto/rules/amazon/amazon-url";
import { findAmazonUrl } from "@tapthru/proto/rules/amazon/find-amazon-url";
import { cleanSlug, isReservedName } from "@tapthru/proto/rules/slug";
import type { FileLine } from "./read-lines.ts";

/** What a line will become: a link, with the code `slug` unless `replacement` says why not; or nothing. */
interface Plan {
  refusal: Refusal | null;
  replacement: CodeReplacement | null;
}
export type PlannedLine = FileLine & Plan;

/** A link of the user. */
export interface OwnLink {
  code: string;
  webUrl: string;
  nickname: string | null;
}

/** A code that a link has, or had. */
export interface UsedCode {
  code: string;
  /** The current code and the destination of the link if it is the user's; otherwise null. */
  ownCode: string | null;
  webUrl: string | null;
}

/** The page with the tag that its link gets; other pages stay. */
type TagPage = (page: StorePage) => StorePage;

interface Context {
  tagged: TagPage;
  /** Of the links; null: the site's own host. */
  domain: string | null;
  usedCodes: readonly UsedCode[];
  /** The user's links with the addresses of the file. */
  ownLinks: readonly OwnLink[];
  /** Unix milliseconds. */
  now: number;
}

const patternOn = (domain: string | null) => (domain === null ? NAME_PATTERN : DOMAIN_NAME_PATTERN);

/** The codes of the file that links could keep. */
export function wantedCodes(
  lines: readonly Pick<FileLine, "slug">[],
  domain: string | null,
): string[] {
  const names = lines.flatMap(({ slug }) => (slug === null ? [] : [cleanSlug(slug)]));
  return [...new Set(names)]
    .filter((name) => patternOn(domain).test(name))
    .map((name) => shortCodeOf(name, domain));
}

/** The addresses of the file to which links of the user may lead. Those of short links are not known before they are looked up. */
export function wantedAddresses(
  lines: readonly Pick<FileLine, "url">[],
  tagged: TagPage,
): string[] {
  const addresses = lines.flatMap(({ url }) => {
    const { address } = addressOf(url);
    return isStorePage(address) ? [tagged(address).webUrl] : [];
  });
  return [...new Set(addresses)];
}

/**
 * Decides what each line will become, before anything is created. A line creates no link if an earlier one or the user has the
 * same link: with the same address and its current or an earlier code, or with the same address and name if the line has no code
 * that it can keep.
 */
export function planLines(
  lines: readonly FileLine[],
  { domain, tagged, usedCodes, ownLinks, now }: Context,
): PlannedLine[] {
  const used = new Map(usedCodes.map((each) => [splitShortCode(each.code).name, each]));
  const links = new Set<string>();
  const codes = new Set<string>();
  const addressed = lines.map((line) => {
    const { url, address: given } = addressOf(line.url);
    const address = isStorePage(given) ? tagged(given) : given;
    const slug = (line.slug && cleanSlug(line.slug)) || null;
    return { planned: { ...line, url, slug }, address };
  });
  const sameCodes = new Set(
    addressed.flatMap(({ planned: { slug }, address }) => {
      const own = slug === null ? undefined : used.get(slug);
      return own?.ownCode && isStorePage(address) && own.webUrl === address.webUrl
        ? [own.ownCode]
        : [];
    }),
  );
  const takeOwnLink = ownLinksByName(ownLinks.filter(({ code }) => !sameCodes.has(code)));

  return addressed.map(({ planned, address }) => {
    const { slug, nickname, expiresAt } = planned;
    const refuse = (refusal: Refusal) => ({ ...planned, refusal, replacement: null });
    if (address.kind === "refused") return refuse(lineRefusal(address.code));
    if (expiresAt !== null && Date.parse(expiresAt) <= now) return refuse("expired");

    const destination = address.kind === "short" ? address.url : address.webUrl;
    if (slug !== null && used.get(slug)?.webUrl === destination) return refuse("already-yours");
    const link = JSON.stringify([destination, slug, slug === null ? nickname : null]);
    if (links.has(link)) return refuse("repeated-line");
    links.add(link);

    const replacement = slug === null ? null : replacementOf(slug, { domain, used, codes });
    const keepsCode = slug !== null && replacement === null;
    if (!keepsCode && takeOwnLink(destination, nickname)) return refuse("already-yours");
    if (keepsCode) codes.add(slug);
    return { ...planned, refusal: null, replacement };
  });
}

/**
 * A function that takes one of the links with an address and a name, or with any name if the name is null. Each link is taken
 * once, so that a file with two links of the same name is not taken for one.
 * @returns false if none is left
 */
function ownLinksByName(
  ownLinks: readonly OwnLink[],
): (webUrl: string, nickname: string | null) => boolean {
  const namesByAddress = new Map<string, (string | null)[]>();
  for (const { webUrl, nickname } of ownLinks) {
    const names = namesByAddress.get(webUrl) ?? [];
    names.push(nickname);
    namesByAddress.set(webUrl, names);
  }
  return (webUrl, nickname) => {
    const names = namesByAddress.get(webUrl) ?? [];
    const same = names.indexOf(nickname);
    const index = same === -1 && nickname === null ? names.length - 1 : same;
    if (index < 0) return false;
    names.splice(index, 1);
    return true;
  };
}

/** The address in a cell: the whole of it, or the Amazon link in its text. */
function addressOf(text: string): { url: string; address: AmazonUrl } {
  const url = text.trim();
  const address = parseNewDestination(url);
  if (address.kind !== "refused") return { url, address };
  const found = findAmazonUrl(url);
  return found === null ? { url, address } : { url: found, address: parseNewDestination(found) };
}

function replacementOf(
  code: string,
  {
    domain,
    used,
    codes,
  }: { domain: string | null; used: ReadonlyMap<string, unknown>; codes: ReadonlySet<string> },
): CodeReplacement | null {
  if (!patternOn(domain).test(code)) return "slug-malformed";
  if (isReservedName(code, domain)) return "slug-reserved";
  if (codes.has(code)) return "slug-repeated";
  return used.has(code) ? "slug-taken" : null;
}
