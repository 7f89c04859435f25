import { PackedCounts } from "@tapthru/proto/clicks/packed-counts";
import { type CommonQueryMethods, sql } from "slonik";
import * as z from "zod/mini";

const Nothing = z.object({});

/** Links whose rows are moved at once. */
const RUN_LINKS = 20;

/** The tables that are moved, with the column of their period. */
export const MOVED_TABLES = [
  { name: "monthly_clicks", period: "month" },
  { name: "clicks", period: "day" },
] as const;
type MovedTable = (typeof MOVED_TABLES)[number];

/** The rows of RUN_LINKS links from `firstLinkId` on, whether all of them exist or not. */
interface Run {
  table: MovedTable;
  firstLinkId: number;
}

/** Null without rows. */
export async function findFirstRun(
  db: Pick<CommonQueryMethods, "maybeOneFirst">,
  table: MovedTable,
): Promise<Run | null> {
  const linkId = await db.maybeOneFirst(sql.type(z.object({ linkId: z.int() }))`
    SELECT link_id AS "linkId" FROM ${sql.identifier([table.name])} ORDER BY link_id LIMIT 1
  `);
  return linkId === null ? null : { table, firstLinkId: linkId - (linkId % RUN_LINKS) };
}

/** The same for each attempt to move a run. */
export function tokenOf(
  db: Pick<CommonQueryMethods, "oneFirst">,
  { table, firstLinkId }: Run,
): Promise<string> {
  return db.oneFirst(sql.type(z.object({ token: z.string() }))`
    INSERT INTO click_moves (source, first_link_id) VALUES (${table.name}, ${firstLinkId})
    ON CONFLICT (source, first_link_id) DO UPDATE SET source = excluded.source
    RETURNING token
  `);
}

export async function deleteMove(
  transaction: Pick<CommonQueryMethods, "query">,
  token: string,
): Promise<void> {
  await transaction.query(sql.type(Nothing)`DELETE FROM click_moves WHERE token = ${token}::uuid`);
}

const bytes = z.custom<Uint8Array>((value) => value instanceof Uint8Array);

const MovedRow = z.object({
  linkId: z.int(),
  /** 0 without an owner. */
  userId: z.int(),
  start: z.string(),
  counts: PackedCounts,
  sketch: z.nullable(bytes),
  estimates: z.nullable(z.record(z.string(), z.int())),
});
export type MovedRow = z.infer<typeof MovedRow>;

/** Deletes and returns the rows of a run. */
export function takeRun(
  transaction: Pick<CommonQueryMethods, "any">,
  { table, firstLinkId }: Run,
): Promise<readonly MovedRow[]> {
  const period = sql.identifier([table.period]);
  const sketch = table.period === "day" ? sql.fragment`visitors` : sql.fragment`NULL::bytea`;
  const estimates = table.period === "day" ? sql.fragment`NULL::jsonb` : sql.fragment`visitors`;
  return transaction.any(sql.type(MovedRow)`
    WITH moved AS (
      DELETE FROM ${sql.identifier([table.name])}
      WHERE link_id >= ${firstLinkId} AND link_id < ${firstLinkId + RUN_LINKS}
      RETURNING link_id, ${period}::text AS start, counts, ${sketch} AS sketch, ${estimates} AS estimates
    )
    SELECT link_id AS "linkId", coalesce(user_id, 0) AS "userId", start, counts, sketch, estimates
    FROM moved JOIN links ON links.id = link_id
  `);
}
