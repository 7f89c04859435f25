import { Counter } from "prom-client";
import type { CommonQueryMethods, QuerySqlToken } from "slonik";
import * as z from "zod/mini";
import { type Issue, issueTexts, type LogEvent, type Logger } from "./logger.ts";

export const unreadableValues = new Counter({
  name: "tapthru_unreadable_values_total",
  help: "Rows of Postgres and records of Redis that were left out because they are not valid",
  labelNames: ["source"],
  registers: [],
});

const SOURCES = ["postgres", "redis", "stream"] as const;
for (const source of SOURCES) unreadableValues.inc({ source }, 0);

const LOGGED_VALUES_MAX = 1_000;
const logged = new Set<string>();

/**
 * Counts a value that is left out. Logs it once, until 1,000 others were logged.
 * @param ids what identifies the value, such as its short code
 */
export function logInvalidRecord(
  logger: Logger,
  event: LogEvent,
  source: (typeof SOURCES)[number],
  ids: Record<string, unknown>,
  issues: readonly Issue[],
): void {
  unreadableValues.inc({ source });
  const value = JSON.stringify([event, source, ids]);
  if (logged.has(value)) return;
  if (logged.size >= LOGGED_VALUES_MAX) logged.clear();
  logged.add(value);
  logger.error({ event, ...ids, issues: issueTexts(issues) }, `invalid value in ${source}`);
}

type Readable<Schema extends z.ZodMiniType> =
  | { row: z.output<Schema>; raw: Record<string, unknown> }
  | { row: null; raw: Record<string, unknown> };

/**
 * Validates each row on its own: one that is not valid, for example because a newer release wrote it, is reported and null,
 * and the others are returned.
 * @param ids columns by which the log names a row
 */
export async function readEachRow<Schema extends z.ZodMiniType>(
  { db, logger }: { db: Pick<CommonQueryMethods, "any">; logger: Logger },
  query: QuerySqlToken<Schema>,
  ids: readonly string[],
): Promise<Readable<Schema>[]> {
  const rows = await db.any({ ...query, parser: z.record(z.string(), z.unknown()) });
  return rows.map((raw) => {
    const parsed = z.safeParse(query.parser, raw);
    if (parsed.success) return { row: parsed.data, raw };
    const named = Object.fromEntries(ids.map((id) => [id, raw[id]]));
    logInvalidRecord(logger, "unreadable_row", "postgres", named, parsed.error.issues);
    return { row: null, raw };
  });
}

export async function readableRows<Schema extends z.ZodMiniType>(
  ...args: Parameters<typeof readEachRow<Schema>>
): Promise<z.output<Schema>[]> {
  const read = await readEachRow(...args);
  return read.flatMap(({ row }) => (row === null ? [] : [row]));
}
