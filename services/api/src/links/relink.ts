import { linkAddresses } from "@tapthru/runtime/links/link-addresses";
import type { RedisBudget } from "@tapthru/runtime/redis/budget";
import type { CommonQueryMethods } from "slonik";
import { ApiError } from "../errors.ts";
import type { WhileWaiting } from "../http/shed-load.ts";
import type { QueuePageRead, ReadRequester } from "../metadata/queue-read.ts";
import { parseDestination, type ResolveDependencies, resolveDestination } from "./destination.ts";
import { type LinkRow, redirectRecords } from "./link-row.ts";
import { findEditableLink } from "./own-links.ts";
import type { ProjectLinks } from "./project-links.ts";
import { relinkLink } from "./relink-queries.ts";

export interface RelinkDependencies extends ResolveDependencies {
  db: Pick<CommonQueryMethods, "maybeOne">;
  publicBaseUrl: string;
  queueRead: QueuePageRead;
  projectLinks: ProjectLinks;
}

interface RelinkRequest {
  userId: number;
  shortCode: string;
  /** The new destination as sent: a page of an Amazon store or a short link of Amazon. */
  url: string;
  requester: ReadRequester;
  budget: RedisBudget;
  whileWaiting: WhileWaiting;
}

/**
 * Changes the destination of a link. Title and image follow the new page, unless the owner set them.
 * @throws ApiError if the address is not an Amazon shopping page, or the link was taken down or is unknown
 */
export async function relink(
  deps: RelinkDependencies,
  { userId, shortCode, url, requester, budget, whileWaiting }: RelinkRequest,
): Promise<LinkRow> {
  const parsed = parseDestination(url);
  if (parsed instanceof ApiError) throw parsed;
  const link = { userId, shortCode };
  await findEditableLink(deps.db, link);
  const { originalUrl, page } =
    parsed.kind === "page"
      ? parsed
      : await whileWaiting(() => resolveDestination(deps, parsed, budget));
  const addresses = linkAddresses(deps.publicBaseUrl, originalUrl, page);
  const changed = await relinkLink(deps.db, link, addresses);
  if (changed === null) return findEditableLink(deps.db, link);
  if (addresses.page !== null && changed.dueAttempt !== null) {
    const { canonicalUrl } = addresses.page;
    void deps.queueRead({ canonicalUrl, attempt: changed.dueAttempt }, requester);
  }
  await deps.projectLinks(redirectRecords([changed]), budget);
  // A trigger resets it after the statement.
  return { ...changed, healthState: "unknown", healthSince: null };
}
