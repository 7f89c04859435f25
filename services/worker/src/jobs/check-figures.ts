import { findCompleteUntil } from "@tapthru/core/clicks/queries";
import { forEachItem, type ItemLoop } from "@tapthru/core/platform/failed-items";
import type { Db } from "@tapthru/core/platform/postgres/postgres";
import { fallenEarnings, unusualPeople } from "@tapthru/proto/rules/unusual-figures";
import type { WebhookEvent } from "@tapthru/proto/rules/webhooks";
import { type FragmentSqlToken, sql } from "slonik";
import * as z from "zod/mini";
import type { Job } from "../app.ts";

const HOUR_MS = 3_600_000;
const WEEK_MS = 7 * 24 * HOUR_MS;
const BATCH = 500;

/** Reads only links with many people, and only of users whose webhooks want the event, which is recorded once in a day or week. */
export const checkFigures: Job<"db" | "logger" | "clickReader"> = async (app, _payload, { signal }) => {
  const { db, logger } = app;
  await forEachItem(
    { db, logger, kind: "check-earnings", signal },
    await findUsers(db, "earnings.falling"),
    (userId) => userId,
    (userId) => checkEarnings(db, userId),
  );
  await checkClicks(app, { db, logger, kind: "check-clicks", signal });
};

async function checkClicks({ db, clickReader }: Parameters<typeof checkFigures>[0], loop: ItemLoop): Promise<void> {
  const userIds = await findUsers(db, "clicks.unusual");
  if (userIds.length === 0) return;
  const end = Math.floor((await findCompleteUntil(db)) / HOUR_MS) * HOUR_MS;
  const hours = [0, 1, 2, 3, 4].map((week) => end - HOUR_MS - week * WEEK_MS);
  const hour = new Date(end - HOUR_MS).toISOString();
  const busy = await clickReader.busy(
    userIds,
    hours.map((start) => new Date(start).toISOString().slice(0, 10)),
  );
  for (let after = 0; !loop.signal.aborted; ) {
    const links = await findLinks(db, { userIds, busy, after });
    await forEachItem(
      loop,
      [...Map.groupBy(links, ({ userId }) => userId)],
      ([userId]) => userId,
      async ([userId, own]) => {
        const ids = own.map(({ id }) => id);
        const peopleOf = (start: number) =>
          clickReader.peopleByPeriod(userId, ids, { from: start, to: start + HOUR_MS, starts: [start] });
        const counts = await Promise.all(hours.map(peopleOf));
        for (const { id, createdAt } of own) {
          const [people = 0, ...earlier] = counts.map((ofHour) => ofHour.get(id)?.[0] ?? 0);
          const usual = unusualPeople(
            people,
            earlier.filter((_, week) => createdAt <= (hours[week + 1] ?? 0)),
          );
          if (usual === null) continue;
          await db.query(sql.type(z.object({}))`SELECT report_unusual_clicks(${id}, ${hour}, ${people}, ${usual})`);
        }
      },
    );
    if (links.length < BATCH) return;
    after = links.at(-1)?.id ?? after;
  }
}

function findUsers(db: Db<"anyFirst">, event: WebhookEvent) {
  return db.anyFirst(sql.type(z.object({ userId: z.int() }))`
    SELECT DISTINCT user_id AS "userId" FROM webhooks WHERE disabled_at IS NULL AND ${event} = ANY (events)
  `);
}

interface BusyLinks {
  userIds: readonly number[];
  busy: FragmentSqlToken;
  after: number;
}

/** Live links, by id. */
function findLinks(db: Db<"any">, { userIds, busy, after }: BusyLinks) {
  return db.any(sql.type(z.object({ id: z.int(), userId: z.int(), createdAt: z.number() }))`
    SELECT id, user_id AS "userId", created_at AS "createdAt" FROM links
    WHERE id IN (${busy}) AND id > ${after} AND user_id = ANY(${sql.array([...userIds], "int4")})
      AND taken_down_at IS NULL AND (expires_at IS NULL OR expires_at > now())
    ORDER BY id LIMIT ${BATCH}
  `);
}

const AccountWeeks = z.object({
  marketplace: z.string(),
  storeId: z.string(),
  currency: z.string(),
  lastDay: z.string(),
  /** The last seven days, and the four weeks before. */
  weeks: z.tuple([z.int(), z.int(), z.int(), z.int(), z.int()]),
});

async function checkEarnings(db: Db<"any" | "query">, userId: number): Promise<void> {
  for (const { weeks, storeId, ...account } of await findWeeks(db, userId)) {
    const [earnings, ...earlier] = weeks;
    const usualEarnings = fallenEarnings(earnings, earlier);
    if (usualEarnings === null) continue;
    const data = { ...account, earnings, usualEarnings };
    await db.query(sql.type(z.object({}))`
      SELECT add_event_once(${userId}, 'earnings.falling', ${sql.jsonb(data)},
        concat_ws(' ', ${account.marketplace}::text, ${storeId}::text, date_trunc('week', now())::date))
    `);
  }
}

/** Of accounts with a report that was stored in the last hours, if all 35 days have one. Amazon's last two days may be incomplete. */
function findWeeks(db: Db<"any">, userId: number) {
  return db.any(sql.type(AccountWeeks)`
    WITH account AS (
      SELECT report.marketplace, report.store_id, currency, least(max(upper(part)) - 1, current_date - 2) AS last,
        range_agg(part) AS days, array_agg(DISTINCT report.id) AS ids
      FROM earnings_reports AS report JOIN earnings_imports AS import ON import.id = import_id
      CROSS JOIN unnest(days) AS part
      WHERE report.user_id = ${userId} AND kind = 'earnings' AND last_day > current_date - 60
      GROUP BY 1, 2, 3 HAVING max(stored_at) > now() - interval '2 hours'
    )
    SELECT marketplace, store_id AS "storeId", currency, last::text AS "lastDay", to_jsonb(ARRAY(
      SELECT coalesce((
        SELECT sum(earnings) FROM earnings_rows AS item JOIN earnings_reports AS report ON report.id = report_id
        WHERE report_id = ANY(ids) AND report.days @> day AND day BETWEEN last - 7 * week - 6 AND last - 7 * week
      ), 0) FROM generate_series(0, 4) AS week ORDER BY week
    )) AS weeks
    FROM account WHERE days @> daterange(last - 34, last, '[]') AND last > current_date - 14
  `);
}
