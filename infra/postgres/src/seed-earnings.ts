import { createRandom } from "@tapthru/core/platform/create-random";
import type pg from "pg";
import { insertChannels, insertLabels } from "./demo/channels.ts";
import { DEMO_LINKS } from "./demo/links.ts";
import { insertReports } from "./demo/reports.ts";
import { dayAgo, insertClicks, visitsOf, visitsToday } from "./demo/visits.ts";

/** With Amazon's categories. */
const PRODUCTS = [
  ["B0CX23V2ZK", "Camping stove", "Sports"],
  ["B08N5WRWNW", "Desk lamp", "Lighting"],
  ["B09B8V1LZ3", "Kitchen speaker", "Electronics"],
  ["B0D1XD1ZV3", "Earphones", "Electronics"],
  ["B07FZ8S74R", "Small speaker", "Electronics"],
  ["B0DEMOCUP1", "Travel cup", "Kitchen"],
  ["B0DEMOBAG1", "Backpack", "Luggage"],
];
const DAYS_PER_REPORT = 30;
const REPORTS_PER_STORE = 3;
const LAST_DAY_AGO = 2;

/**
 * Gives the demo account channels, labels and rates, and three months of clicks and invented reports, unless it has reports.
 * The same for each day on which it is called.
 */
export async function seedEarnings(client: pg.Client, userId: number): Promise<void> {
  const known = await client.query("SELECT FROM earnings_imports WHERE user_id = $1", [userId]);
  if (known.rowCount !== 0) return;
  await client.query("BEGIN");
  await insertChannels(client, userId);
  await insertLabels(client, userId);
  const random = createRandom(46);
  const days = Array.from({ length: DAYS_PER_REPORT * REPORTS_PER_STORE }, (_, index) =>
    dayAgo(LAST_DAY_AGO + DAYS_PER_REPORT * REPORTS_PER_STORE - 1 - index),
  );
  const visits = days.flatMap((day) => DEMO_LINKS.map((each) => visitsOf(each, day, random)));
  await insertClicks(client, userId, [...visits, ...visitsToday(random)], random);
  for (const marketplace of ["com", "de", "co.uk"] as const) {
    for (let first = 0; first < days.length; first += DAYS_PER_REPORT) {
      const period = days.slice(first, first + DAYS_PER_REPORT);
      const visited = visits.filter(({ link: each, day }) => each.marketplace === marketplace && period.includes(day));
      const isLast = first + DAYS_PER_REPORT === days.length;
      await insertReports(client, { userId, marketplace, period, visited, random, isLast });
    }
  }
  await client.query(
    `INSERT INTO earnings_products SELECT $1, row ->> 0, row ->> 1, row ->> 2 FROM jsonb_array_elements($2) AS row
     ON CONFLICT DO NOTHING`,
    [userId, JSON.stringify(PRODUCTS)],
  );
  // Dollars have the reference rate of the European Central Bank.
  const rates = [{ currency: "GBP", rate: 1.17 }];
  await client.query("INSERT INTO earnings_rates VALUES ($1, 'EUR', $2) ON CONFLICT DO NOTHING", [
    userId,
    JSON.stringify(rates),
  ]);
  await client.query("COMMIT");
}
