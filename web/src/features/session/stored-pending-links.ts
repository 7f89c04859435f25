import { GeneratedLink } from "@tapthru/proto/http/generate";
import { PENDING_LINK_KEY } from "@tapthru/proto/rules/limits";
import * as z from "zod/mini";

const RETURN_PATH = "/dashboard";

const PendingLinks = z.pipe(
  z.extend(GeneratedLink, {
    returnPath: z.string(),
    others: z._default(z.array(GeneratedLink), []),
  }),
  z.transform(({ others, returnPath: _, ...link }) => [link, ...others]),
);

/** The links created in this tab without an account, the newest first. */
export function readPendingLinks(): GeneratedLink[] {
  try {
    const stored: unknown = JSON.parse(sessionStorage.getItem(PENDING_LINK_KEY) ?? "null");
    return z.safeParse(PendingLinks, stored).data ?? [];
  } catch {
    return [];
  }
}

export function addPendingLink(link: GeneratedLink): void {
  store([link, ...readPendingLinks().filter(({ shortCode }) => shortCode !== link.shortCode)]);
}

export function removePendingLink({ shortCode }: GeneratedLink): void {
  store(readPendingLinks().filter((link) => link.shortCode !== shortCode));
}

/** Stores the first link as an object, and the others in its field `others`. */
function store([link, ...others]: readonly GeneratedLink[]): void {
  const pending = { ...link, returnPath: RETURN_PATH, ...(others.length > 0 && { others }) };
  if (link) sessionStorage.setItem(PENDING_LINK_KEY, JSON.stringify(pending));
  else sessionStorage.removeItem(PENDING_LINK_KEY);
}
