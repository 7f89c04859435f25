import { findCompleteUntil } from "@tapthru/core/clicks/queries";
import { forEachItem } from "@tapthru/core/platform/failed-items";
import type { Db } from "@tapthru/core/platform/postgres/postgres";
import type { WebhookEvent } from "@tapthru/proto/webhook-events";
import { sql } from "slonik";
import * as z from "zod/mini";
import type { App, Stoppable } from "../app.ts";

const PEOPLE_MIN_COUNT = 50;
/** In the four weeks before. */
const SHIPPED_MIN_COUNT = 40;

const HOUR_MS = 3_600_000;
const WEEK_MS = 7 * 24 * HOUR_MS;
const BATCH = 500;

type FiguresApp = Pick<App, "db" | "logger" | "clickReader">;

/** Finds unusual clicks and falling earnings of the users whose webhooks want these events. */
export async function checkFigures(app: FiguresApp, _payload: object, { signal }: Stoppable): Promise<void> {
  const { db, logger } = app;
  const keyOf = (userId: number) => userId;
  const ofEarnings = { db, logger, kind: "check-earnings", signal };
  await forEachItem(ofEarnings, await findUsers(db, "earnings.falling"), keyOf, (userId) => checkEarnings(db, userId));
  const end = Math.floor((await findCompleteUntil(db)) / HOUR_MS) * HOUR_MS;
  const ofClicks = { db, logger, kind: "check-clicks", signal };
  const userIds = await findUsers(db, "clicks.unusual");
  const busy = await findBusyLinks(db, userIds, end);
  await forEachItem(ofClicks, userIds, keyOf, (userId) => checkClicks(app, userId, busy.get(userId) ?? [], end));
}

/** @param end of the hour that is compared with the same hour of the four weeks before */
async function checkClicks(app: FiguresApp, userId: number, busyIds: readonly number[], end: number): Promise<void> {
  const { db, clickReader } = app;
  const hours = [0, 1, 2, 3, 4].map((week) => end - HOUR_MS - week * WEEK_MS);
  let links: readonly BusyLink[] = [];
  do {
    links = await findLinks(db, { userId, busyIds, after: links.at(-1)?.id ?? 0 });
    const ids = links.map(({ id }) => id);
    const countHour = (from: number) => clickReader.peopleByPeriod(ids, { from, to: from + HOUR_MS, starts: [from] });
    const counts = await Promise.all(hours.map(countHour));
    for (const { id, createdAt } of links) {
      const existing = counts.filter((_, week) => createdAt <= end - HOUR_MS - week * WEEK_MS);
      const [people = 0, ...earlier] = existing.map((ofHour) => ofHour.get(id)?.[0] ?? 0);
      const usualPeople = unusualPeople(people, earlier);
      if (usualPeople === null) continue;
      const clicks = { hour: new Date(end - HOUR_MS).toISOString(), people, usualPeople };
      await db.query(sql.type(z.object({}))`SELECT report_unusual_clicks(${id}, ${sql.jsonb(clicks)})`);
    }
  } while (links.length === BATCH);
}

function findUsers(db: Db<"anyFirst">, event: WebhookEvent) {
  return db.anyFirst(sql.type(z.object({ userId: z.int() }))`
    SELECT DISTINCT user_id AS "userId" FROM webhooks WHERE disabled_at IS NULL AND ${event} = ANY (events)
  `);
}

/** By user, the links with 50 people on the day of the hour before `end`, or a week before. One statement reads those of all users. */
async function findBusyLinks(db: Db<"any">, userIds: readonly number[], end: number) {
  const days = [end - HOUR_MS, end - HOUR_MS - WEEK_MS].map((time) => new Date(time).toISOString().slice(0, 10));
  // As in the condition of the index `clicks_busy_idx`.
  const rows = await db.any(sql.type(z.object({ userId: z.int(), ids: z.array(z.int()) }))`
    SELECT user_id AS "userId", array_agg(DISTINCT link_id) AS ids FROM clicks JOIN links ON links.id = link_id
    WHERE day = ANY(${sql.array(days, "date")}) AND people >= 50 AND user_id = ANY(${sql.array([...userIds], "int4")})
    GROUP BY user_id
  `);
  return new Map(rows.map(({ userId, ids }) => [userId, ids]));
}

const BusyLink = z.object({ id: z.int(), createdAt: z.number() });
type BusyLink = z.infer<typeof BusyLink>;

/** Live ones, by id. */
function findLinks(db: Db<"any">, query: { userId: number; busyIds: readonly number[]; after: number }) {
  const { userId, busyIds, after } = query;
  return db.any(sql.type(BusyLink)`
    SELECT id, created_at AS "createdAt" FROM links
    WHERE id = ANY(${sql.array(busyIds, "int8")}) AND id > ${after} AND user_id = ${userId}
      AND taken_down_at IS NULL AND (expires_at IS NULL OR expires_at > now())
    ORDER BY id LIMIT ${BATCH}
  `);
}

const AccountEarnings = z.object({
  marketplace: z.string(),
  storeId: z.string(),
  currency: z.string(),
  lastDay: z.string(),
  earnings: z.int(),
  usualEarnings: z.int(),
  shipped: z.int(),
});

async function checkEarnings(db: Db<"any" | "query">, userId: number): Promise<void> {
  for (const { storeId, shipped, ...account } of await findEarnings(db, userId)) {
    if (!areFalling({ ...account, shipped })) continue;
    await db.query(sql.type(z.object({}))`
      SELECT add_event_once(${userId}, 'earnings.falling', ${sql.jsonb(account)},
        concat_ws(' ', ${account.marketplace}::text, ${storeId}::text, date_trunc('week', now())::date))
    `);
  }
}

/** Of accounts for which a report was stored lately, if reports have all 35 days. Amazon's last two days may be incomplete. */
function findEarnings(db: Db<"any">, userId: number) {
  return db.any(sql.type(AccountEarnings)`
    WITH account AS (
      SELECT report.marketplace, report.store_id, currency, array_agg(DISTINCT report.id) AS ids, range_agg(part) AS days,
        least(max(upper(part)) - 1, current_date - 2) AS last
      FROM earnings_reports AS report JOIN earnings_imports AS import ON import.id = import_id, unnest(days) AS part
      WHERE report.user_id = ${userId} AND kind = 'earnings' AND last_day > current_date - 50
      GROUP BY 1, 2, 3 HAVING max(stored_at) > now() - interval '2 hours'
    )
    SELECT account.marketplace, account.store_id AS "storeId", account.currency, last::text AS "lastDay",
      coalesce(sum(earnings) FILTER (WHERE day > last - 7), 0) AS earnings,
      coalesce(sum(earnings) FILTER (WHERE day <= last - 7), 0) / 4 AS "usualEarnings",
      coalesce(sum(shipped) FILTER (WHERE day <= last - 7), 0) AS shipped
    FROM account JOIN earnings_rows ON report_id = ANY(ids) AND day BETWEEN last - 34 AND last
    JOIN earnings_reports AS report ON report.id = report_id AND report.days @> day
    WHERE account.days @> daterange(last - 34, last, '[]') AND last > current_date - 14 GROUP BY 1, 2, 3, 4
  `);
}

/** The usual number of people, if that of an hour is far from it. @param earlier the same hour of the weeks before */
export function unusualPeople(people: number, earlier: readonly number[]): number | null {
  const mean = (counts: readonly number[]) => counts.reduce((sum, count) => sum + count, 0) / counts.length;
  if (earlier.length === 0) return null;
  const usual = mean(earlier);
  if (Math.max(people, usual) < PEOPLE_MIN_COUNT || (people < 2 * usual && people > usual / 2)) return null;
  // Independent visits have a variance of their mean, others a larger one.
  const variance = Math.max(usual, mean(earlier.map((count) => (count - usual) ** 2)));
  return Math.abs(people - usual) > 3 * Math.sqrt(variance) ? Math.round(usual) : null;
}

/** Whether the earnings of seven days are far below those of a usual week. */
export function areFalling({
  earnings,
  usualEarnings,
  shipped,
}: Record<"earnings" | "usualEarnings" | "shipped", number>) {
  return usualEarnings > 0 && shipped >= SHIPPED_MIN_COUNT && earnings <= usualEarnings / 2;
}
