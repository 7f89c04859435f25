import type { CodeReplacement, Refusal } from "@tapthru/proto/http/imports";
import { SHORT_CODE_PATTERN } from "@tapthru/proto/redirect/short-code";
import { type AmazonUrl, parseAmazonUrl } from "@tapthru/proto/rules/amazon/amazon-url";
import { findAmazonUrl } from "@tapthru/proto/rules/amazon/find-amazon-url";
import { cleanSlug, isReservedSlug } from "@tapthru/proto/rules/slug";
import type { FileLine } from "./read-lines.ts";

/** What a line will become: a link, with the code `slug` unless `replacement` says why not; or nothing. */
export interface PlannedLine extends FileLine {
  refusal: Refusal | null;
  replacement: CodeReplacement | null;
}

/** A code that is in use; `webUrl` is the destination if the link is the user's. */
export interface UsedCode {
  code: string;
  webUrl: string | null;
}

interface Context {
  usedCodes: readonly UsedCode[];
  /** Unix milliseconds. */
  now: number;
}

/** The codes of the file that links could keep. */
export function wantedCodes(lines: readonly FileLine[]): string[] {
  const codes = lines.flatMap(({ slug }) => (slug === null ? [] : [cleanSlug(slug)]));
  return [...new Set(codes)].filter((code) => SHORT_CODE_PATTERN.test(code));
}

/** Decides what each line will become, before anything is created. */
export function planLines(lines: readonly FileLine[], { usedCodes, now }: Context): PlannedLine[] {
  const used = new Map(usedCodes.map(({ code, webUrl }) => [code, webUrl]));
  const links = new Set<string>();
  const codes = new Set<string>();
  return lines.map((line) => {
    const code = line.slug === null ? null : cleanSlug(line.slug);
    const { url, address } = addressOf(line.url);
    const planned = { ...line, url, slug: code === "" ? null : code };
    const refuse = (refusal: Refusal) => ({ ...planned, refusal, replacement: null });
    if (address.kind === "refused") return refuse(address.code);
    if (line.expiresAt !== null && line.expiresAt.getTime() <= now) return refuse("expired");

    const destination = address.kind === "short" ? address.url : address.webUrl;
    if (code !== null && used.get(code) === destination) return refuse("already-yours");
    const link = `${code ?? ""} ${destination}`;
    if (links.has(link)) return refuse("repeated-line");
    links.add(link);

    const replacement = planned.slug === null ? null : replacementOf(planned.slug, { used, codes });
    if (planned.slug !== null && replacement === null) codes.add(planned.slug);
    return { ...planned, refusal: null, replacement };
  });
}

/** The address in a cell: the whole of it, or the Amazon link in its text. */
function addressOf(text: string): { url: string; address: AmazonUrl } {
  const url = text.trim();
  const address = parseAmazonUrl(url);
  if (address.kind !== "refused") return { url, address };
  const found = findAmazonUrl(url);
  return found === null ? { url, address } : { url: found, address: parseAmazonUrl(found) };
}

function replacementOf(
  code: string,
  { used, codes }: { used: ReadonlyMap<string, unknown>; codes: ReadonlySet<string> },
): CodeReplacement | null {
  if (!SHORT_CODE_PATTERN.test(code)) return "slug-malformed";
  if (isReservedSlug(code)) return "slug-reserved";
  if (codes.has(code)) return "slug-repeated";
  return used.has(code) ? "slug-taken" : null;
}
