import { GeneratedLink } from "@tapthru/proto/http/generate";
import { PENDING_LINK_KEY } from "@tapthru/proto/rules/limits";
import * as z from "zod/mini";

const PendingLink = z.extend(GeneratedLink, { returnPath: z.string() });

/** Null if no valid pending link is stored. */
export function readPendingLink(): z.infer<typeof PendingLink> | null {
  try {
    const stored: unknown = JSON.parse(sessionStorage.getItem(PENDING_LINK_KEY) ?? "null");
    return z.safeParse(PendingLink, stored).data ?? null;
  } catch {
    return null;
  }
}

export function clearPendingLink(): void {
  sessionStorage.removeItem(PENDING_LINK_KEY);
}
