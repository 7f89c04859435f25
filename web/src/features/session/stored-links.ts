import { GeneratedLink } from "@tapthru/proto/generate";
import { ANONYMOUS_LINK_EXPIRY_MS, LINKS_CLAIM_MAX_COUNT } from "@tapthru/proto/rules/limits";
import * as z from "zod/mini";
import { hasPassed } from "../../lib/dates.ts";
import { readText, writeText } from "../../lib/stored-texts.ts";
import { RECENT_LINKS_KEY, readRecentLinksText } from "./use-recent-links-text.ts";

export const PENDING_LINK_KEY = "pendingLink";
const RETURN_PATH = "/dashboard";
/** More than a visitor creates in the seven days for which they work. */
const MAX_RECENT_LINKS = LINKS_CLAIM_MAX_COUNT - 1;

const RecentLink = z.extend(GeneratedLink, { expiresAt: z.iso.datetime() });
export type RecentLink = z.infer<typeof RecentLink>;

/** The links that guests created in this browser and that have not expired, the newest first. */
export function readRecentLinks(): RecentLink[] {
  return parseRecentLinks(readRecentLinksText());
}

export function parseRecentLinks(text: string | null): RecentLink[] {
  const links = parse(z.array(RecentLink), text) ?? [];
  return links.filter(({ expiresAt }) => !hasPassed(expiresAt));
}

/** The links that the next login claims: the recent ones, and the last one of this tab. */
export function readPendingLinks(): GeneratedLink[] {
  const recent = readRecentLinks();
  const last = readLastLink();
  const isMissing = last !== null && !recent.some(({ shortCode }) => shortCode === last.shortCode);
  return isMissing ? [last, ...recent] : recent;
}

/** Stores a link that was created while signed out. If it is stored already, it keeps its expiry. */
export function storeLink(created: GeneratedLink): void {
  const link = z.parse(GeneratedLink, created);
  const recent = readRecentLinks();
  const known = recent.find(({ shortCode }) => shortCode === link.shortCode);
  const expiresAt = known?.expiresAt ?? new Date(Date.now() + ANONYMOUS_LINK_EXPIRY_MS).toISOString();
  const others = recent.filter((each) => each !== known);
  sessionStorage.setItem(PENDING_LINK_KEY, JSON.stringify({ ...link, returnPath: RETURN_PATH }));
  writeRecentLinks([{ ...link, expiresAt }, ...others].slice(0, MAX_RECENT_LINKS));
}

/** @returns puts it back */
export function removeStoredLink(shortCode: string): () => void {
  const isIt = (link: RecentLink) => link.shortCode === shortCode;
  const removed = readRecentLinks().filter(isIt);
  const last = readLastLink()?.shortCode === shortCode ? readText(PENDING_LINK_KEY, "sessionStorage") : null;
  if (last !== null) writeText(PENDING_LINK_KEY, null, "sessionStorage");
  writeRecentLinks(readRecentLinks().filter((link) => !isIt(link)));
  return () => {
    if (last !== null) writeText(PENDING_LINK_KEY, last, "sessionStorage");
    const links = [...removed, ...readRecentLinks().filter((link) => !isIt(link))];
    writeRecentLinks(links.sort((one, other) => other.expiresAt.localeCompare(one.expiresAt)));
  };
}

function writeRecentLinks(links: readonly RecentLink[]): void {
  writeText(RECENT_LINKS_KEY, links.length > 0 ? JSON.stringify(links) : null);
  // Browsers send it to other tabs only.
  dispatchEvent(new StorageEvent("storage", { key: RECENT_LINKS_KEY }));
}

function readLastLink(): GeneratedLink | null {
  return parse(GeneratedLink, readText(PENDING_LINK_KEY, "sessionStorage"));
}

/** @returns null for another text */
function parse<T>(schema: z.ZodMiniType<T>, text: string | null): T | null {
  try {
    return z.safeParse(schema, JSON.parse(text ?? "null")).data ?? null;
  } catch {
    return null;
  }
}
