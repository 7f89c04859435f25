import type { BulkUpdateKind } from "@tapthru/core/links/bulk-updates";
import { isNotQuarantined, processItem } from "@tapthru/core/platform/failed-items";
import { type CommonQueryMethods, type FragmentSqlToken, sql } from "slonik";
import * as z from "zod/mini";
import type { App } from "../app.ts";
import { BULK_UPDATE_BATCH, BULK_UPDATE_ITEMS, BULK_UPDATE_KINDS } from "./bulk-update-kinds.ts";

/** The outbox is relayed after this number of updates at the latest, or a batch of links. */
const MAX_UPDATES = 100;

export type BulkUpdateApp = Pick<App, "db" | "logger" | "publicBaseUrl">;

const KINDS = Object.keys(BULK_UPDATE_KINDS) as BulkUpdateKind[];

export const findPendingKinds = ({ db }: Pick<App, "db">) =>
  db.anyFirst(sql.prepared("find-pending-kinds", z.object({ kind: z.enum(KINDS) }))`
    SELECT kind FROM unnest(${sql.array(KINDS, "text")}) AS known (kind)
    WHERE EXISTS (SELECT FROM bulk_updates AS change WHERE change.kind = known.kind)
  `);

/** The owners whose turn was last. */
const lastOwners = new Map<BulkUpdateKind, string>();

/**
 * Makes batches of changes of links, and removes updates that have no more links: each time the oldest one of the next owner that may
 * begin, so that no user or page waits for all updates of another. One that fails is quarantined, and the next one goes on. The links'
 * outbox rows are relayed like all others.
 * @returns whether more may be left
 */
export async function makeBulkUpdate(app: BulkUpdateApp, kind: BulkUpdateKind, signal: AbortSignal): Promise<boolean> {
  for (let updates = 0, changed = 0; updates < MAX_UPDATES && changed < BULK_UPDATE_BATCH; updates++) {
    const next = (await findNext(app.db, kind, lastOwners.get(kind))) ?? (await findNext(app.db, kind));
    if (next === null) return false;
    const { id, owner } = next;
    lastOwners.set(kind, owner);
    const attempt = () => app.db.transaction((transaction) => changeBatch({ ...app, db: transaction }, kind, id));
    changed += (await processItem({ ...app, kind: BULK_UPDATE_ITEMS, signal }, id, attempt)) ?? 0;
  }
  return true;
}

/** The oldest update of the first owner after one that may begin. One entry of the index is read for each owner before it. */
function findNext(db: CommonQueryMethods, kind: BulkUpdateKind, after = "") {
  const oldestAfter = (owner: FragmentSqlToken) => sql.fragment`
    SELECT owner, id FROM bulk_updates AS change
    WHERE kind = ${kind} AND ${isNotQuarantined(BULK_UPDATE_ITEMS, sql.fragment`change.id`)} AND owner > ${owner}
    ORDER BY kind, owner, id LIMIT 1`;
  return db.maybeOne(sql.type(NextUpdate)`
    WITH RECURSIVE oldest AS (
      (${oldestAfter(sql.fragment`${after}`)})
      UNION ALL
      SELECT next.* FROM oldest CROSS JOIN LATERAL (${oldestAfter(sql.fragment`oldest.owner`)}) AS next
    )
    SELECT oldest.* FROM oldest CROSS JOIN LATERAL (
      SELECT FROM bulk_updates AS change WHERE id = oldest.id AND ${BULK_UPDATE_KINDS[kind].mayBegin} FOR UPDATE SKIP LOCKED
    ) AS free LIMIT 1
  `);
}

const Id = z.object({ id: z.int() });
const NextUpdate = z.extend(Id, { owner: z.string() });
const NextLink = z.object({ id: z.nullable(z.int()), place: z.int() });
const Change = z.object({ payload: z.unknown(), afterId: z.int() });
const Nothing = z.object({});

/** @returns the number of links that it changed */
async function changeBatch(
  app: BulkUpdateApp & { db: CommonQueryMethods },
  kind: BulkUpdateKind,
  id: number,
): Promise<number> {
  const { db } = app;
  const row = await db.maybeOne(sql.type(Change)`
    SELECT payload, after_id AS "afterId" FROM bulk_updates WHERE id = ${id} FOR UPDATE
  `);
  if (row === null) return 0;
  const { next, isChanged, change, end } = await BULK_UPDATE_KINDS[kind].next(app, row);
  const links = await db.any(sql.type(NextLink)`${next}`);
  const last = links.at(-1);
  if (last === undefined) {
    await end?.();
    await db.query(sql.type(Nothing)`DELETE FROM bulk_updates WHERE id = ${id}`);
    return 0;
  }
  const found = links.flatMap((link) => link.id ?? []);
  const ids = await db.anyFirst(sql.type(Id)`
    SELECT id FROM all_links AS link WHERE id = ANY(${sql.array(found, "int8")}) AND ${isChanged}
    ORDER BY id FOR NO KEY UPDATE
  `);
  if (ids.length > 0) await change(ids);
  await db.query(sql.type(Nothing)`
    UPDATE bulk_updates SET after_id = ${last.place} WHERE id = ${id}
  `);
  return ids.length;
}
