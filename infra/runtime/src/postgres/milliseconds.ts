import { sql } from "slonik";

/** An SQL interval of `duration` milliseconds. */
export function milliseconds(duration: number) {
  return sql.interval({ seconds: duration / 1_000 });
}
