import { type CodeReplacement, lineRefusal, type Refusal } from "@tapthru/proto/imports";
import {
  type AmazonUrl,
  isStorePage,
  parseNewDestination,
  type StorePage,
} from "@tapthru/proto/rules/amazon/amazon-url";
import { findAmazonUrl } from "@tapthru/proto/rules/amazon/find-amazon-url";
import { repairFoundUrl } from "@tapthru/proto/rules/amazon/repair-url";
import { SHORT_CODE_PATTERN, shortCodeOf, splitShortCode } from "@tapthru/proto/rules/short-code";
import { cleanSlug, isReservedName } from "@tapthru/proto/rules/slug";
import type { FileLine } from "./read-lines.ts";

/** What a line will become: a link, with the code `slug` unless `replacement` says why not; or nothing. */
interface Plan {
  refusal: Refusal | null;
  replacement: CodeReplacement | null;
}
export interface PlannedLine extends FileLine, Plan {
  /** What the line becomes once the repaired addresses of all lines are taken; null if no line has one. */
  repaired: (Plan & { url: string }) | null;
}

export interface LinkDomains {
  /** Of the import; null: the site's own host. */
  domain: string | null;
  /** Those of the user: links of the file that are on one of them stay there. */
  ownDomains: readonly string[];
}

export interface OwnLink {
  code: string;
  webUrl: string;
  nickname: string | null;
}

export interface UsedCode {
  code: string;
  /** The current code and the destination of the link if it is the user's; otherwise null. */
  ownCode: string | null;
  webUrl: string | null;
}

interface AddressedLine extends FileLine {
  /** With the tag that its link gets. */
  address: AmazonUrl;
}

interface Context extends LinkDomains {
  usedCodes: readonly UsedCode[];
  /** The user's links with the addresses of the file. */
  ownLinks: readonly OwnLink[];
  /** Unix milliseconds. */
  now: number;
}

function domainOf(line: Pick<FileLine, "domain">, { domain, ownDomains }: LinkDomains) {
  return line.domain !== null && ownDomains.includes(line.domain) ? line.domain : domain;
}

/** A code that a link can have; null if its name is malformed. */
function possibleCode(name: string, domain: string | null): string | null {
  const code = shortCodeOf(name, domain);
  return !name.includes("@") && SHORT_CODE_PATTERN.test(code) ? code : null;
}

/** The codes of the file that links could keep. */
export function wantedCodes(lines: readonly Pick<FileLine, "slug" | "domain">[], domains: LinkDomains): string[] {
  const codes = lines.flatMap((line) => {
    if (line.slug === null) return [];
    return possibleCode(cleanSlug(line.slug), domainOf(line, domains)) ?? [];
  });
  return [...new Set(codes)];
}

/** The addresses of the file to which links of the user may lead. Those of short links are not known before they are resolved. */
export function wantedAddresses(lines: readonly AddressedLine[]): string[] {
  const addresses = lines.flatMap(({ address }) => (isStorePage(address) ? [address.webUrl] : []));
  return [...new Set(addresses)];
}

/**
 * Decides what each line will become, before anything is created. A line creates no link if an earlier one or the user has the
 * same link: with the same address and its current or an earlier code, or with the same address and name if the line has no code
 * that it can keep.
 */
export function planLines(
  lines: readonly AddressedLine[],
  { usedCodes, ownLinks, now, ...domains }: Context,
): (FileLine & Plan)[] {
  const used = new Map(usedCodes.map((each) => [each.code, each]));
  const links = new Set<string>();
  /** The codes that links keep, as they are in the file. */
  const kept = new Map<string, string | null>();
  const addressed = lines.map(({ address, ...line }) => {
    const slug = (line.slug && cleanSlug(line.slug)) || null;
    const domain = domainOf(line, domains);
    const code = slug && possibleCode(slug, domain);
    return {
      planned: { ...line, slug: slug ?? (line.slug && null) },
      written: line.slug,
      domain,
      code,
      address,
    };
  });
  const sameCodes = new Set(
    addressed.flatMap(({ code, address }) => {
      const own = code === null ? undefined : used.get(code);
      return own?.ownCode && isStorePage(address) && own.webUrl === address.webUrl ? [own.ownCode] : [];
    }),
  );
  const takeOwnLink = ownLinksByName(ownLinks.filter(({ code }) => !sameCodes.has(code)));

  function replacementOf(code: string, written: string | null, domain: string | null) {
    if (isReservedName(splitShortCode(code).name, domain)) return "slug-reserved";
    const earlier = kept.get(code);
    if (earlier !== undefined) return earlier === written ? "slug-repeated" : "slug-differs-in-case";
    return used.has(code) ? "slug-taken" : null;
  }

  return addressed.map(({ planned, written, domain, code, address }) => {
    const { nickname, expiresAt } = planned;
    const slug = planned.slug || null;
    const refuse = (refusal: Refusal) => ({ ...planned, refusal, replacement: null });
    if (address.kind === "refused") return refuse(lineRefusal(address.code));
    if (planned.unclearExpiry !== null) return refuse("expiry-unclear");
    if (expiresAt !== null && Date.parse(expiresAt) <= now) return refuse("expired");

    const destination = address.kind === "short" ? address.url : address.webUrl;
    if (code !== null && used.get(code)?.webUrl === destination) return refuse("already-yours");
    const link = JSON.stringify([destination, slug, slug === null ? nickname : domain]);
    if (links.has(link)) return refuse("repeated-line");
    links.add(link);

    // The code is not known: it may be that of the domain itself.
    const missing = written === "" ? "slug-missing" : null;
    const malformed = slug === null ? missing : "slug-malformed";
    const replacement = code === null ? malformed : replacementOf(code, written, domain);
    const keepsCode = code !== null && replacement === null;
    if (!keepsCode && takeOwnLink(destination, nickname)) return refuse("already-yours");
    if (keepsCode) kept.set(code, written);
    return { ...planned, refusal: null, replacement };
  });
}

/**
 * A function that takes one of the links with an address and a name, or with any name if the name is null. Each link is taken
 * once, so that a file with two links of the same name is not taken for one.
 * @returns false if none is left
 */
function ownLinksByName(ownLinks: readonly OwnLink[]): (webUrl: string, nickname: string | null) => boolean {
  const countsByAddress = new Map<string, Map<string | null, number>>();
  for (const { webUrl, nickname } of ownLinks) {
    const counts = countsByAddress.get(webUrl) ?? new Map();
    countsByAddress.set(webUrl, counts.set(nickname, (counts.get(nickname) ?? 0) + 1));
  }
  return (webUrl, nickname) => {
    const counts = countsByAddress.get(webUrl) ?? new Map<string | null, number>();
    const [any] = counts.keys();
    const name = nickname === null && !counts.has(null) ? any : nickname;
    const count = name === undefined ? 0 : (counts.get(name) ?? 0);
    if (name === undefined || count === 0) return false;
    if (count === 1) counts.delete(name);
    else counts.set(name, count - 1);
    return true;
  };
}

/** A line with the address that was probably meant; null if it needs no repair. */
export function repairedLine(line: FileLine): FileLine | null {
  const repair = repairFoundUrl(line.url);
  return repair && { ...line, url: repair.url };
}

/** @param tagged gives a page the tag that its link gets */
export function addressedLine(line: FileLine, tagged: (page: StorePage) => StorePage): AddressedLine {
  const { url, address } = addressOf(line.url);
  return { ...line, url, address: isStorePage(address) ? tagged(address) : address };
}

/** The address in a cell: the whole of it, or the Amazon link in its text. */
function addressOf(text: string): { url: string; address: AmazonUrl } {
  const url = text.trim();
  const address = parseNewDestination(url);
  if (address.kind !== "refused") return { url, address };
  const found = findAmazonUrl(url);
  return found === null ? { url, address } : { url: found, address: parseNewDestination(found) };
}
