import { SafeFetchError } from "@tapthru/core/platform/safe-fetch/errors";
import { Parser } from "htmlparser2";
import { sql } from "slonik";
import * as z from "zod/mini";
import type { App } from "../app.ts";
import { dueKind } from "../due.ts";

const URL = "https://www.ecb.europa.eu/stats/eurofxref/eurofxref-daily.xml";
const RATES_MAX_COUNT = 100;
/** The bank's rates are within this range. A product of others might be no amount. */
const [RATE_MIN, RATE_MAX] = [0.01, 1_000_000];
const DAY_MS = 86_400_000;

/** Reads the reference rates of the European Central Bank once a day, and deletes them where they are not to be read. */
export const readExchangeRates = dueKind({
  everyMs: 600_000,
  async claim({ db, fetchRates }: Pick<App, "db" | "logger" | "fetchRates">) {
    const isFresh = sql.fragment`read_at > now() - interval '1 day'`;
    const hasRates = await db.exists(sql.type(z.object({}))`
      SELECT FROM exchange_rates WHERE ${fetchRates === null} OR ${isFresh}
    `);
    return hasRates === (fetchRates === null) ? ["daily"] : [];
  },
  keyOf: String,
  async work({ db, fetchRates }, _, { deadline }) {
    if (fetchRates === null) return db.query(sql.type(z.object({}))`DELETE FROM exchange_rates`);
    const response = await fetchRates({ url: URL, purpose: "exchange-rates", withBody: true, deadline }).catch(
      notReached,
    );
    const found = response?.status === 200 ? parseRates(response.body.bytes.toString()) : null;
    // Sites without the internet have none. The next round tries again.
    if (found === null) return;
    return db.query(sql.type(z.object({}))`
      WITH earlier AS (DELETE FROM exchange_rates WHERE currency <> ALL(${sql.array([...found.rates.keys()], "text")}))
      INSERT INTO exchange_rates (currency, rate, day)
      SELECT *, ${found.day}::text::date FROM ${sql.unnest([...found.rates], ["text", "float8"])} AS found
      ON CONFLICT (currency) DO UPDATE SET rate = excluded.rate, day = excluded.day, read_at = now()
    `);
  },
});

function notReached(error: unknown): null {
  if (error instanceof SafeFetchError) return null;
  throw error;
}

/** Returns the value of one euro in each currency, or null if the text has no rates. */
export function parseRates(xml: string): { day: string; rates: ReadonlyMap<string, number> } | null {
  const rates = new Map([["EUR", 1]]);
  let day = "";
  const onopentag = (_name: string, { time, currency = "", rate }: Record<string, string>) => {
    day ||= time ?? "";
    const value = Number(rate);
    const isRate =
      /^[A-Z]{3}$/.test(currency) && value >= RATE_MIN && value <= RATE_MAX && rates.size < RATES_MAX_COUNT;
    if (isRate && !rates.has(currency)) rates.set(currency, value);
  };
  new Parser({ onopentag }, { xmlMode: true }).end(xml);
  const isDay = z.iso.date().safeParse(day).success && Date.parse(day) <= Date.now() + DAY_MS;
  return isDay && rates.size > 1 ? { day, rates } : null;
}
