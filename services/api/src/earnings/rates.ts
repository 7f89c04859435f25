import type { Db } from "@tapthru/core/platform/postgres/postgres";
import { EarningsRates } from "@tapthru/proto/earnings";
import { fractionDigits } from "@tapthru/proto/rules/money";
import { type FragmentSqlToken, sql } from "slonik";
import * as z from "zod/mini";

const KnownRates = z.object({
  currency: z.nullable(z.string()),
  rates: z.nullable(EarningsRates.shape.rates),
  usual: z.nullable(z.string()),
  day: z.nullable(z.string()),
  /** The value of one euro. */
  euros: z.nullable(z.record(z.string(), z.number())),
});

/** The rates of the user, and those of the European Central Bank on `day`, if they are read, for other currencies. */
export interface Rates {
  currency: string | null;
  rates: { currency: string; rate: number; day?: string }[];
  saved: EarningsRates & { referenceDay: string | null };
}

/** Without a currency of the user, that of most rows of their reports is theirs, if reference rates are read. */
export async function findRates(db: Db<"maybeOne">, userId: number): Promise<Rates> {
  const known = await db.maybeOne(sql.type(KnownRates)`
    SELECT own.currency, own.rates, day::text AS day, euros, (
      SELECT currency FROM earnings_reports WHERE user_id = ${userId} AND days <> '{}'
      GROUP BY 1 ORDER BY sum(row_count) DESC, 1 LIMIT 1
    ) AS usual
    FROM (SELECT max(day) AS day, jsonb_object_agg(currency, rate) AS euros FROM exchange_rates) AS reference
    LEFT JOIN earnings_rates AS own ON user_id = ${userId}
  `);
  const { usual = null, day = null, euros = null } = known ?? {};
  const saved = { currency: known?.currency ?? null, rates: known?.rates ?? [], referenceDay: day };
  const currency = saved.currency ?? (euros === null ? null : usual);
  const own = saved.currency === null ? [] : saved.rates;
  const worth = euros?.[currency ?? ""];
  if (worth === undefined || day === null) return { currency, rates: own, saved };
  const others = Object.entries(euros ?? {}).filter(([other]) => own.every((each) => each.currency !== other));
  return {
    currency,
    rates: [...own, ...others.map(([other, rate]) => ({ currency: other, rate: worth / rate, day }))],
    saved,
  };
}

/** @param found the currencies of all figures @returns the currency of their sum; null if there is none */
export function commonCurrency({ currency }: Rates, found: readonly string[]): string | null {
  const [only = null, ...others] = new Set(found);
  return currency ?? (others.length === 0 ? only : null);
}

/** A query of `currency` and `factor`: what its smallest unit is in that of another. @param target null: there are none */
export function factorsTo(target: string | null, { rates }: Rates): FragmentSqlToken {
  const others = rates.filter(({ currency }) => currency !== target);
  const factors =
    target === null
      ? []
      : [{ currency: target, rate: 1 }, ...others].map(({ currency, rate }) => [
          currency,
          rate * 10 ** (fractionDigits(target) - fractionDigits(currency)),
        ]);
  return sql.fragment`SELECT * FROM ${sql.unnest(factors, ["text", "float8"])} AS factor (currency, factor)`;
}

/** The day of the reference rates with which one of the currencies is converted; null if none is. */
export const referenceDay = ({ currency, rates }: Rates, currencies: readonly string[]) =>
  rates.find((each) => each.day && each.currency !== currency && currencies.includes(each.currency))?.day ?? null;
