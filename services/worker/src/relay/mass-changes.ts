import type { MassChangeKind } from "@tapthru/core/links/mass-changes";
import { attemptItem, isNotSetAside } from "@tapthru/core/platform/failed-items";
import { type CommonQueryMethods, sql } from "slonik";
import * as z from "zod/mini";
import type { App } from "../app.ts";
import { MASS_CHANGE_ITEMS, MASS_CHANGE_KINDS } from "./mass-change-kinds.ts";

/** The outbox is relayed after this number of changes at the latest. */
const MAX_CHANGES = 100;

export type MassChangeApp = Pick<App, "db" | "logger" | "publicBaseUrl">;

const KINDS = Object.keys(MASS_CHANGE_KINDS) as MassChangeKind[];

export const findPendingKinds = ({ db }: Pick<App, "db">) =>
  db.anyFirst(sql.prepared("find-pending-kinds", z.object({ kind: z.enum(KINDS) }))`
    SELECT kind FROM unnest(${sql.array(KINDS, "text")}) AS known (kind)
    WHERE EXISTS (SELECT FROM mass_changes AS change WHERE change.kind = known.kind)
  `);

/**
 * Makes one batch of changes of links, or removes changes that have no more links: the oldest one of a user whom chance chooses, so
 * that no user waits for all changes of another. One that fails is set aside, and the next one goes on. The links' outbox rows are
 * relayed like all others.
 * @returns whether more may be left
 */
export async function makeMassChange(app: MassChangeApp, kind: MassChangeKind, signal: AbortSignal): Promise<boolean> {
  for (let i = 0; i < MAX_CHANGES; i++) {
    const id = await app.db.maybeOneFirst(sql.type(Id)`
      SELECT id FROM mass_changes AS change
      WHERE kind = ${kind} AND ${isNotSetAside(MASS_CHANGE_ITEMS, sql.fragment`change.id`)}
        AND ${MASS_CHANGE_KINDS[kind].mayBegin}
        AND NOT EXISTS (
          SELECT FROM mass_changes AS earlier
          WHERE earlier.kind = change.kind AND earlier.owner = change.owner AND earlier.id < change.id
            AND ${isNotSetAside(MASS_CHANGE_ITEMS, sql.fragment`earlier.id`)}
        )
      ORDER BY random() LIMIT 1 FOR UPDATE SKIP LOCKED
    `);
    if (id === null) return false;
    const attempt = () => app.db.transaction((transaction) => changeBatch({ ...app, db: transaction }, kind, id));
    if (await attemptItem({ ...app, kind: MASS_CHANGE_ITEMS, signal }, id, attempt)) return true;
  }
  return true;
}

const Id = z.object({ id: z.int() });
const NextLink = z.object({ id: z.nullable(z.int()), place: z.int() });
const Change = z.object({ payload: z.unknown(), afterId: z.int() });
const Nothing = z.object({});

/** @returns whether it changed links */
async function changeBatch(
  app: MassChangeApp & { db: CommonQueryMethods },
  kind: MassChangeKind,
  id: number,
): Promise<boolean> {
  const { db } = app;
  const row = await db.maybeOne(sql.type(Change)`
    SELECT payload, after_id AS "afterId" FROM mass_changes WHERE id = ${id} FOR UPDATE
  `);
  if (row === null) return false;
  const { next, isChanged, change, end } = await MASS_CHANGE_KINDS[kind].next(app, row);
  const links = await db.any(sql.type(NextLink)`${next}`);
  const last = links.at(-1);
  if (last === undefined) {
    await end?.();
    await db.query(sql.type(Nothing)`DELETE FROM mass_changes WHERE id = ${id}`);
    return false;
  }
  const found = links.flatMap((link) => link.id ?? []);
  const ids = await db.anyFirst(sql.type(Id)`
    SELECT id FROM all_links AS link WHERE id = ANY(${sql.array(found, "int8")}) AND ${isChanged}
    ORDER BY id FOR NO KEY UPDATE
  `);
  if (ids.length > 0) await change(ids);
  await db.query(sql.type(Nothing)`
    UPDATE mass_changes SET after_id = ${last.place} WHERE id = ${id}
  `);
  return ids.length > 0;
}
