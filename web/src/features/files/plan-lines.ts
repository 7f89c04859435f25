import type { LinkRefusal } from "@tapthru/proto/rules/link-errors";
import { SHORT_CODE_PATTERN, shortCodeOf } from "@tapthru/proto/rules/short-code";
import { cleanSlug, isReservedName } from "@tapthru/proto/rules/slug";
import type { FoundAddress } from "./address-lines.ts";
import type { FileLine } from "./read-lines.ts";

/** Why a line creates no link. */
export const REFUSALS = {
  "link-missing": "There is no address in this line.",
  "not-an-amazon-link": "Not an Amazon link.",
  "not-a-shopping-page": "An address of Amazon, but not of one of its stores.",
  "unusable-link": "This page of Amazon cannot be opened with a short link.",
  "repeated-line": "The same link is in an earlier line.",
  "already-yours": "You already have this link.",
  expired: "This link has expired.",
  "expiry-unclear": "The date of expiry is not clear. Write it as 2026-12-31.",
} as const;
type Refusal = keyof typeof REFUSALS;

/** Why a link gets a new code in place of the one in the file. */
export const REPLACEMENTS = {
  "slug-missing": "is missing in the file",
  "slug-taken": "is taken",
  "slug-reserved": "is reserved",
  "slug-malformed": "has characters or a length that this site does not allow",
  "slug-repeated": "is in an earlier line too",
  "slug-differs-in-case": "differs from the code of an earlier line only in capital letters",
} as const;
type Replacement = keyof typeof REPLACEMENTS;

/** A line to plan, with the address that its link would have. */
export interface LineToPlan extends FileLine, FoundAddress {}

/** The result of a line: a link, with the code `slug` unless `replacement` has the reason for another; or nothing. */
export interface PlannedLine extends LineToPlan {
  /** The code in lower case; empty if the file should have one but does not. */
  slug: string | null;
  refusal: Refusal | null;
  replacement: Replacement | null;
  /** The own domain on which its link would be; null: the site's own host. */
  linkDomain: string | null;
  /** The user's link that it repeats. */
  ownCode: string | null;
}

export interface LinkDomains {
  /** The domain of the import; null: the site's own host. */
  domain: string | null;
  /** Those of the user: links of the file that are on one of them stay there. */
  ownDomains: readonly string[];
}

export interface OwnLink {
  shortCode: string;
  nickname: string | null;
}

/** The state in the api of the link that a line would create. */
export interface KnownLink {
  /** Its destination, with the tag that it would get. */
  webUrl: string;
  isSlugUsed: boolean;
  /** The user's link that the slug opens, if it leads to `webUrl`. */
  slugLink: string | null;
}

interface Context extends LinkDomains {
  knownOf: (wanted: WantedLink) => KnownLink | undefined;
  /** The user's links that lead to an address. */
  ownLinksTo: (webUrl: string) => readonly OwnLink[];
  /** Unix milliseconds. */
  now: number;
}

export interface WantedLink {
  url: string;
  /** Undefined if its link cannot have the code. */
  slug: string | undefined;
  domain: string | null;
}

/** The link that a line would become; null if its address is refused. */
export function wantedLink({ url, address, slug, domain }: LineToPlan, domains: LinkDomains): WantedLink | null {
  if (address.kind === "refused") return null;
  const linkDomain = domain !== null && domains.ownDomains.includes(domain) ? domain : domains.domain;
  const name = slug === null ? "" : cleanSlug(slug);
  const isPossible = !name.includes("@") && SHORT_CODE_PATTERN.test(shortCodeOf(name, linkDomain));
  return { url, slug: name !== "" && isPossible ? name : undefined, domain: linkDomain };
}

/** The only reason that is known is that the address cannot be used. */
function lineRefusal(code: LinkRefusal["code"]): Refusal {
  return code === "link-too-long" || code === "link-incomplete" ? "unusable-link" : code;
}

/**
 * Decides what each line becomes, before anything is created. A line creates no link if an earlier one or the user has the
 * same link: with the same address and its current or an earlier code, or with the same address and name if the line has no code
 * that it can keep.
 */
export function planLines(
  lines: readonly LineToPlan[],
  { knownOf, ownLinksTo, now, ...domains }: Context,
): PlannedLine[] {
  const links = new Set<string>();
  /** The codes that links keep, as they are in the file. */
  const kept = new Map<string, string | null>();
  const all = lines.map((line) => {
    const wanted = wantedLink(line, domains);
    return { line, wanted, known: wanted === null ? undefined : knownOf(wanted) };
  });

  /** One of the user's links with an address and a name, or with any name. */
  function ownLink(webUrl: string, nickname: string | null): string | undefined {
    const links = ownLinksTo(webUrl);
    const same = links.find((link) => link.nickname === nickname) ?? (nickname === null ? links[0] : undefined);
    return same?.shortCode;
  }

  return all.map(({ line, wanted, known }) => {
    const cleaned = (line.slug && cleanSlug(line.slug)) || null;
    const plan = {
      ...line,
      slug: cleaned ?? (line.slug && null),
      linkDomain: wanted?.domain ?? null,
      refusal: null,
      replacement: null,
      ownCode: null,
    };
    const refuse = (refusal: Refusal, ownCode: string | null = null) => ({ ...plan, refusal, ownCode });
    if (line.address.kind === "refused") return refuse(lineRefusal(line.address.code));
    if (line.unclearExpiry !== null) return refuse("expiry-unclear");
    if (line.expiresAt !== null && Date.parse(line.expiresAt) <= now) return refuse("expired");

    const webUrl = known?.webUrl ?? line.address.webUrl;
    if (known?.slugLink) return refuse("already-yours", known.slugLink);
    const link = JSON.stringify([webUrl, cleaned, cleaned === null ? line.nickname : plan.linkDomain]);
    if (links.has(link)) return refuse("repeated-line");
    links.add(link);

    const code = wanted?.slug === undefined ? null : shortCodeOf(wanted.slug, wanted.domain);
    // The code is not known: it may be that of the domain itself.
    const missing = line.slug === "" ? "slug-missing" : null;
    const malformed = cleaned === null ? missing : "slug-malformed";
    const replacement = code === null ? malformed : replacementOf(code);
    const keepsCode = code !== null && replacement === null;
    const ownCode = keepsCode ? undefined : ownLink(webUrl, line.nickname);
    if (ownCode !== undefined) return refuse("already-yours", ownCode);
    if (keepsCode) kept.set(code, line.slug);
    return { ...plan, replacement };

    function replacementOf(wantedCode: string): Replacement | null {
      if (isReservedName(wanted?.slug ?? "", plan.linkDomain)) return "slug-reserved";
      const earlier = kept.get(wantedCode);
      if (earlier !== undefined) return earlier === line.slug ? "slug-repeated" : "slug-differs-in-case";
      return known?.isSlugUsed ? "slug-taken" : null;
    }
  });
}
