import { AD_SOURCE, DIRECT, PRINT_SOURCE, UNTAGGED, type Unpaid } from "@tapthru/proto/clicks/keys";
import { isMailHost } from "@tapthru/proto/clicks/sources";
import type { AppPageVisit } from "../choose-destination.ts";
import type { QueryOrigin } from "./query-origin.ts";

type Opened = Pick<AppPageVisit, "link" | "route">;

/** Why Amazon does not pay for what a person buys after a tap; null: it could pay. */
export function unpaidReason(
  { link, route }: Opened,
  { sources, isMail }: Pick<QueryOrigin, "sources" | "isMail">,
  referrer: string,
): Unpaid | null {
  if (link.isUntagged) return UNTAGGED;
  if (sources.includes(AD_SOURCE)) return "ads";
  if (isMail || (referrer !== DIRECT && isMailHost(referrer))) return "mail";
  if (sources.includes(PRINT_SOURCE)) return "print";
  if (route === null) return link.tagDefect ?? null;
  // Visitors go to another store only with the owner's tag of it.
  return (route.kind === "fallback" && link.fallbackPage?.tagDefect) || null;
}
