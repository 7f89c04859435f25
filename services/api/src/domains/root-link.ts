import { type Destination, NO_CHANNELS } from "@tapthru/core/links/channel-tags";
import { createLinks } from "@tapthru/core/links/create-links";
import { insertLinkChanges, retireDeletedLinks } from "@tapthru/core/outbox";
import { changing, type Db } from "@tapthru/core/platform/postgres/postgres";
import type { RedisBudget } from "@tapthru/core/platform/redis/budget";
import { slugTaken } from "@tapthru/proto/general-errors";
import { sql } from "slonik";
import * as z from "zod/mini";
import { ApiError } from "../http/errors.ts";
import { type ChangeLinkDependencies, changeLink } from "../links/change-link.ts";
import { type RequestState, resolvePage } from "../links/destination.ts";
import { INSERTED_LINK, type RecordedLinkRow, redirectRecords } from "../links/link-row.ts";
import { type ChangeDependencies, removeLink } from "../links/user-links.ts";
import { type DomainRef, requireDomain, requireUsable } from "./queries.ts";

/**
 * Sets where `/` of a domain leads, with an ordinary link of the user. A link that has another code now, because
 * the domain was removed and added again, is left alone.
 * @throws ApiError as for the destination of a link; domain-not-found, domain-not-usable
 */
export async function setRootUrl(
  deps: ChangeLinkDependencies,
  url: string,
  ref: DomainRef,
  state: RequestState,
): Promise<void> {
  requireUsable(await requireDomain(deps.db, ref));
  const shortCode = `@${ref.host}`;
  if ((await findRootLink(deps.db, ref))?.shortCode === shortCode) {
    await changeLink(deps, { userId: ref.userId, shortCode }, { url }, state);
    return;
  }
  const row = await createRootLink(deps, ref, await resolvePage(deps, url, state));
  if (row === "slug-taken") throw new ApiError(slugTaken);
  await deps.projectLinks(redirectRecords([row]), state.redisBudget);
}

/**
 * Creates the link that opens at `/` of a domain. Its code may have been that of an earlier root link.
 * @returns `slug-taken` if the domain has one. The row has the first revision, also if the link replaces another one
 */
export async function createRootLink(
  { db, publicBaseUrl }: { db: Db<"transaction">; publicBaseUrl: string },
  { userId, host: domain }: DomainRef,
  destination: Destination,
): Promise<RecordedLinkRow | "slug-taken"> {
  const created = db.transaction(async (transaction) => {
    const revision = await transaction.oneFirst(sql.type(z.object({ revision: z.int() }))`
      SELECT release_root_code(${domain}) AS revision
    `);
    const app = { db: transaction, publicBaseUrl };
    const creator = { userId, channels: NO_CHANNELS, domain };
    const links = [{ destination, slug: "" }];
    const [root = "slug-taken"] = await createLinks(app, creator, links, INSERTED_LINK);
    if (root === "slug-taken") throw new RootLinkExists();
    if (revision > 1) {
      await transaction.query(sql.type(z.object({}))`
        WITH link AS (
          UPDATE links SET revision = ${revision} WHERE id = ${root.row.id}
          RETURNING short_code, revision
        ) ${insertLinkChanges}
      `);
    }
    return root.row;
  });
  return created.catch((error: unknown) => {
    if (error instanceof RootLinkExists) return "slug-taken";
    throw error;
  });
}

/** Rolls back what `release_root_code` did: it may have released the code of a root link that was just inserted. */
class RootLinkExists extends Error {}

/** Deletes the link at `/`. One that has another code now only loses that place. */
export async function removeRootLink(deps: ChangeDependencies, ref: DomainRef, budget: RedisBudget): Promise<void> {
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
  await deps.projectLinks([{ shortCode, record: { state: "gone", revision, reason: "deleted" } }], budget);
}

const RootLink = z.object({ id: z.int(), shortCode: z.string() });

/** The link that opens at `/`: its code, or an earlier one, is `@host`. */
function findRootLink(db: Db<"maybeOne">, { userId, host }: DomainRef) {
  return db.maybeOne(sql.type(RootLink)`
    SELECT id, short_code AS "shortCode" FROM links
    WHERE id = find_link_id(${`@${host}`}) AND user_id = ${userId}
  `);
}

const RetiredCode = z.object({ shortCode: z.string(), revision: z.int() });

/** Retires `@host` where it is an earlier code of a link of the user. The link stays. */
function retireRootCode(db: Db<"maybeOne">, { userId, host }: DomainRef) {
  return db.maybeOne(changing(RetiredCode)`
    WITH code AS MATERIALIZED (
      SELECT code.short_code FROM link_codes code JOIN links ON links.id = link_id
      WHERE code.short_code = ${`@${host}`} AND links.short_code <> code.short_code AND user_id = ${userId}
      FOR UPDATE OF code
    ), link AS MATERIALIZED (
      SELECT short_code, release_root_code(${host}) AS revision, 'deleted' AS reason FROM code
    ), ${retireDeletedLinks}
    SELECT short_code AS "shortCode", revision FROM link
  `);
}
