import { ACTIVITY_PAGE_SIZE, type Activity } from "@tapthru/proto/http/activity";
import type { OperatorActivity } from "@tapthru/proto/http/operator/activity";
import { escapeFormula } from "@tapthru/proto/rules/csv-cell";
import { ACTIVITY_EXPORT_MAX_COUNT } from "@tapthru/proto/rules/limits";
import type { Context } from "koa";
import { TextReply } from "../http/mount.ts";
import { CSV_TYPE, type CsvRecord, csvStream } from "../http/streams.ts";
import type { PageOf } from "./queries.ts";

type FindPage<Row extends Activity> = (page: PageOf) => Promise<readonly Row[]>;

/** A page of rows, or as text/csv all of them with the columns. */
export async function activityReply<Row extends Activity>(
  ctx: Context,
  findPage: FindPage<Row>,
  before: number | undefined,
  { names, record }: Columns<Row>,
) {
  ctx.vary("Accept");
  if (ctx.accepts("json", "text/csv") === "text/csv") {
    ctx.attachment("activity.csv");
    const body = new TextReply(
      CSV_TYPE,
      csvStream(names, records(activityPages(findPage), record)),
    );
    return { status: 200 as const, body };
  }
  const rows = await findPage({ before });
  const activity = rows.slice(0, ACTIVITY_PAGE_SIZE);
  const nextBefore = rows.length > activity.length ? (activity.at(-1)?.id ?? null) : null;
  return { status: 200 as const, body: { activity, nextBefore } };
}

const ROWS_PER_QUERY = 1_000;

/** The rows, in pages, at most ACTIVITY_EXPORT_MAX_COUNT. */
export async function* activityPages<Row extends Activity>(
  findPage: FindPage<Row>,
): AsyncGenerator<readonly Row[]> {
  let before: number | undefined;
  for (let count = 0; count < ACTIVITY_EXPORT_MAX_COUNT; count += ROWS_PER_QUERY) {
    const rows = await findPage({ before, limit: ROWS_PER_QUERY });
    yield rows;
    if (rows.length < ROWS_PER_QUERY) return;
    before = rows.at(-1)?.id;
  }
}

/** Of the file. */
interface Columns<Row> {
  names: readonly string[];
  record: (row: Row) => CsvRecord;
}

async function* records<Row>(
  pages: AsyncIterable<readonly Row[]>,
  record: (row: Row) => CsvRecord,
): AsyncGenerator<CsvRecord> {
  for await (const rows of pages) yield* rows.map(record);
}

export const OWNER_COLUMNS: Columns<Activity> = {
  names: ["time", "actor", "name", "action", "object", "before", "after", "request"],
  record: ({ at, actor, actorName, action, object, before, after, requestId }) => ({
    time: at,
    actor,
    name: escapeFormula(actorName ?? ""),
    action,
    object: escapeFormula(object),
    before: before && JSON.stringify(before),
    after: after && JSON.stringify(after),
    request: requestId && escapeFormula(requestId),
  }),
};

/** The last ones say which user acted, whose object it is, and from which network address. */
export const OPERATOR_COLUMNS: Columns<OperatorActivity> = {
  names: [...OWNER_COLUMNS.names, "user", "owner", "address"],
  record: (row) => ({
    ...OWNER_COLUMNS.record(row),
    user: escapeFormula(row.actorUsername ?? ""),
    owner: escapeFormula(row.ownerUsername ?? ""),
    address: row.addressHash,
  }),
};
