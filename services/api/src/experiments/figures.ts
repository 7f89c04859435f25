import { clickRange } from "@tapthru/core/clicks/click-range";
import type { Db } from "@tapthru/core/platform/postgres/postgres";
import { openingsOf } from "@tapthru/proto/clicks/keys";
import type { Experiment, ExperimentFigures } from "@tapthru/proto/experiments";
import { rateOf, verdictOf } from "@tapthru/proto/rules/experiments";
import { sql } from "slonik";
import * as z from "zod/mini";
import type { Api } from "../api.ts";
import { amounts, countingRows, dayAt, findCoveredDays, inParts, type OwnDays, sums } from "../earnings/queries.ts";

const DAY_MS = 86_400_000;

/** What was counted for each arm, until the day after the end: most people order within a day of their click. */
export async function experimentFigures(
  { db, clickReader }: Pick<Api, "db" | "clickReader">,
  userId: number,
  experiment: Experiment,
): Promise<ExperimentFigures> {
  const { id, marketplace, startsAt, endsAt } = experiment;
  const end = Date.parse(endsAt);
  const days = { userId, from: startsAt.slice(0, 10), to: dayAt(end + DAY_MS) };
  const range = clickRange({ ...days, tz: "UTC", interval: "month" }, end);
  const counted = range && (await clickReader.count({ userId, linkIds: null }, range, "arm"));
  const countOf = (key: string) => counted?.breakdown.find((part) => part.key === key)?.person ?? 0;

  const covered = await findCoveredDays(db, days, marketplace);
  const ofOrders = covered.filter(({ kind }) => kind === "orders");
  const isReported = ofOrders.some(({ from, to }) => from === days.from && to === days.to);
  const sales = await findSales(db, days, experiment);
  const clicks = await findClicks(db, days, marketplace);

  function figuresOf(arm: "a" | "b") {
    const { tag, way } = experiment[arm];
    const key = `${id}${arm}`;
    const isOfArm = (row: { tag: string }) => row.tag === tag.toLowerCase();
    const sumOf = (amount: "ordered" | "earnings") =>
      sales.filter(isOfArm).reduce((sum, sale) => sum + sale[amount], 0);
    const counts = { visits: countOf(key), orders: ofOrders.length > 0 ? sumOf("ordered") : null };
    return {
      ...counts,
      openings: way === "browser" ? null : countOf(openingsOf(key)),
      amazonClicks: clicks.find(isOfArm)?.clicks ?? null,
      earnings: covered.some(({ kind }) => kind === "earnings") ? sumOf("earnings") : null,
      rate: rateOf(counts),
    };
  }

  const figures = { a: figuresOf("a"), b: figuresOf("b") };
  return {
    ...experiment,
    figures,
    currency: covered[0]?.currency ?? null,
    verdict: isReported ? verdictOf(figures.a, figures.b) : "unknown",
  };
}

const Sale = z.object({ tag: z.string(), ...amounts });

function findSales(db: Db<"any">, days: OwnDays, { marketplace, a, b }: Experiment) {
  const tags = sql.array([a.tag.toLowerCase(), b.tag.toLowerCase()], "text");
  return inParts(db, days, (part) =>
    db.any(sql.type(Sale)`
      SELECT lower(item.tag) AS tag, ${sums} FROM ${countingRows(part)}
        AND report.marketplace = ${marketplace} AND lower(item.tag) = ANY(${tags})
      GROUP BY 1
    `),
  );
}

/** Amazon's clicks by tag, of the tracking reports that have a part of the days. */
function findClicks(db: Db<"any">, { userId, from, to }: OwnDays, marketplace: string) {
  return db.any(sql.type(z.object({ tag: z.string(), clicks: z.int() }))`
    SELECT lower(item.tag) AS tag, coalesce(sum(item.clicks), 0) AS clicks
    FROM earnings_reports AS report JOIN earnings_rows AS item ON item.report_id = report.id
    WHERE report.user_id = ${userId} AND report.marketplace = ${marketplace} AND kind = 'tracking'
      AND days @> daterange(first_day, last_day, '[]') AND last_day >= ${from}::text::date AND first_day <= ${to}::text::date
    GROUP BY 1
  `);
}
