import { type FragmentSqlToken, sql } from "slonik";
import * as z from "zod/mini";

/** An SQL interval of `duration` milliseconds. */
export function milliseconds(duration: number) {
  return sql.interval({ seconds: duration / 1_000 });
}

/** How many rows there are, at most `max`. @param rows what follows FROM */
export const countUpTo = (max: number, rows: FragmentSqlToken): FragmentSqlToken => sql.fragment`
  (SELECT count(*)::int FROM (SELECT FROM ${rows} LIMIT ${max}) AS counted)
`;

export const bytes = z.custom<Uint8Array>((value) => value instanceof Uint8Array);

/** @param time Unix milliseconds, as rows have times */
export function isoOrNull(time: number | null): string | null {
  return time === null ? null : new Date(time).toISOString();
}
