import { sql } from "slonik";
import * as z from "zod/mini";

/** An SQL interval of `duration` milliseconds. */
export function milliseconds(duration: number) {
  return sql.interval({ seconds: duration / 1_000 });
}

/** A value of the type bytea in a row. */
export const bytes = z.custom<Uint8Array>((value) => value instanceof Uint8Array);

/** @param time Unix milliseconds, as rows have times */
export function isoOrNull(time: number | null): string | null {
  return time === null ? null : new Date(time).toISOString();
}
