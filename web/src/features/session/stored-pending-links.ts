import { GeneratedLink } from "@tapthru/proto/http/generate";
import { PENDING_LINK_KEY } from "@tapthru/proto/rules/limits";
import * as z from "zod/mini";

const PendingLinks = z.pipe(
  z.extend(GeneratedLink, {
    returnPath: z.string(),
    others: z._default(z.array(GeneratedLink), []),
  }),
  z.transform(({ others, returnPath, ...link }) => ({ links: [link, ...others], returnPath })),
);

/** The stored links, at least one. Null if none is stored, or nothing valid. */
export function readPendingLinks(): z.infer<typeof PendingLinks> | null {
  try {
    const stored: unknown = JSON.parse(sessionStorage.getItem(PENDING_LINK_KEY) ?? "null");
    return z.safeParse(PendingLinks, stored).data ?? null;
  } catch {
    return null;
  }
}

export function clearPendingLinks(): void {
  sessionStorage.removeItem(PENDING_LINK_KEY);
}
