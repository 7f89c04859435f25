import { insertRootLink } from "@tapthru/core/links/insert-links";
import { linkAddresses } from "@tapthru/core/links/link-addresses";
import type { Db } from "@tapthru/core/platform/postgres/postgres";
import type { RedisBudget } from "@tapthru/core/platform/redis/budget";
import { ApiError } from "../errors.ts";
import type { WhileWaiting } from "../http/shed-load.ts";
import { changeDestination, type DestinationDependencies } from "../links/change-destination.ts";
import { parseDestination, resolveDestination } from "../links/destination.ts";
import { INSERTED_LINK, redirectRecords } from "../links/link-row.ts";
import { removeLink } from "../links/user-links.ts";
import type { ReadRequester } from "../metadata/queue-read.ts";
import { requireDomain, requireUsable } from "./domains.ts";
import { type DomainRef, findRootLink, retireRootCode } from "./queries.ts";

export interface RootLinkDependencies extends DestinationDependencies {
  db: Db<"any" | "maybeOne" | "transaction">;
}

interface RootLinkRequest extends DomainRef {
  requester: ReadRequester;
  budget: RedisBudget;
  whileWaiting: WhileWaiting;
}

/**
 * Sets where `/` of a domain leads, with an ordinary link of the user. A link that has another code now, because
 * the domain was removed and added again, is left alone.
 * @throws ApiError as for the destination of a link; domain-not-found, domain-not-usable
 */
export async function setRootUrl(
  deps: RootLinkDependencies,
  url: string,
  { userId, host, ...request }: RootLinkRequest,
): Promise<void> {
  const ref = { userId, host };
  requireUsable(await requireDomain(deps.db, ref));
  const shortCode = `@${host}`;
  if ((await findRootLink(deps.db, ref))?.shortCode === shortCode) {
    await changeDestination(deps, { userId, shortCode, url, ...request });
    return;
  }
  const parsed = parseDestination(url);
  if (parsed instanceof ApiError) throw parsed;
  const { originalUrl, page } =
    parsed.kind === "page"
      ? parsed
      : await request.whileWaiting(() => resolveDestination(deps, parsed, request.budget));
  const link = linkAddresses(deps.publicBaseUrl, originalUrl, page);
  const row = await insertRootLink(deps.db, { userId }, host, link, INSERTED_LINK);
  if (row === "slug-taken") throw new ApiError("slug-taken");
  await deps.projectLinks(redirectRecords([row]), request.budget);
}

/** Deletes the link at `/`. One that has another code now only loses that place. */
export async function removeRootLink(
  deps: Pick<RootLinkDependencies, "db" | "projectLinks">,
  ref: DomainRef,
  budget: RedisBudget,
): Promise<void> {
  await requireDomain(deps.db, ref);
  const link = await findRootLink(deps.db, ref);
  if (link === null) return;
  if (link.shortCode === `@${ref.host}`) {
    await removeLink(deps, { userId: ref.userId, id: link.id }, budget);
    return;
  }
  const retired = await retireRootCode(deps.db, ref);
  if (retired === null) return;
  const { shortCode, revision } = retired;
  await deps.projectLinks(
    [{ shortCode, record: { state: "gone", revision, reason: "deleted" } }],
    budget,
  );
}
