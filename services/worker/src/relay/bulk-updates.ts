import type { BulkUpdateKind } from "@tapthru/core/links/bulk-updates";
import { isNotQuarantined, processItem } from "@tapthru/core/platform/failed-items";
import { type CommonQueryMethods, sql } from "slonik";
import * as z from "zod/mini";
import type { App } from "../app.ts";
import { BULK_UPDATE_ITEMS, BULK_UPDATE_KINDS } from "./bulk-update-kinds.ts";

/** The outbox is relayed after this number of changes at the latest. */
const MAX_CHANGES = 100;

export type BulkUpdateApp = Pick<App, "db" | "logger" | "publicBaseUrl">;

const KINDS = Object.keys(BULK_UPDATE_KINDS) as BulkUpdateKind[];

export const findPendingKinds = ({ db }: Pick<App, "db">) =>
  db.anyFirst(sql.prepared("find-pending-kinds", z.object({ kind: z.enum(KINDS) }))`
    SELECT kind FROM unnest(${sql.array(KINDS, "text")}) AS known (kind)
    WHERE EXISTS (SELECT FROM bulk_updates AS change WHERE change.kind = known.kind)
  `);

/**
 * Makes one batch of changes of links, or removes changes that have no more links: the oldest one of a user whom chance chooses, so
 * that no user waits for all changes of another. One that fails is quarantined, and the next one continues. The links' outbox rows are
 * relayed like all others.
 * @returns whether more may be left
 */
export async function makeBulkUpdate(app: BulkUpdateApp, kind: BulkUpdateKind, signal: AbortSignal): Promise<boolean> {
  for (let i = 0; i < MAX_CHANGES; i++) {
    const id = await app.db.maybeOneFirst(sql.type(Id)`
      SELECT id FROM bulk_updates AS change
      WHERE kind = ${kind} AND ${isNotQuarantined(BULK_UPDATE_ITEMS, sql.fragment`change.id`)}
        AND ${BULK_UPDATE_KINDS[kind].mayBegin}
        AND NOT EXISTS (
          SELECT FROM bulk_updates AS earlier
          WHERE earlier.kind = change.kind AND earlier.owner = change.owner AND earlier.id < change.id
            AND ${isNotQuarantined(BULK_UPDATE_ITEMS, sql.fragment`earlier.id`)}
        )
      ORDER BY random() LIMIT 1 FOR UPDATE SKIP LOCKED
    `);
    if (id === null) return false;
    const attempt = () => app.db.transaction((transaction) => changeBatch({ ...app, db: transaction }, kind, id));
    if (await processItem({ ...app, kind: BULK_UPDATE_ITEMS, signal }, id, attempt)) return true;
  }
  return true;
}

const Id = z.object({ id: z.int() });
const NextLink = z.object({ id: z.nullable(z.int()), place: z.int() });
const Change = z.object({ payload: z.unknown(), afterId: z.int() });
const Nothing = z.object({});

/** @returns whether it changed links */
async function changeBatch(
  app: BulkUpdateApp & { db: CommonQueryMethods },
  kind: BulkUpdateKind,
  id: number,
): Promise<boolean> {
  const { db } = app;
  const row = await db.maybeOne(sql.type(Change)`
    SELECT payload, after_id AS "afterId" FROM bulk_updates WHERE id = ${id} FOR UPDATE
  `);
  if (row === null) return false;
  const { next, isChanged, change, end } = await BULK_UPDATE_KINDS[kind].next(app, row);
  const links = await db.any(sql.type(NextLink)`${next}`);
  const last = links.at(-1);
  if (last === undefined) {
    await end?.();
    await db.query(sql.type(Nothing)`DELETE FROM bulk_updates WHERE id = ${id}`);
    return false;
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
  return ids.length > 0;
}
