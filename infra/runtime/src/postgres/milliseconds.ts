import { sql } from "slonik";

/** An interval in a statement. */
export function milliseconds(duration: number) {
  return sql.interval({ seconds: duration / 1_000 });
}
