import { ACTIVITY_PAGE_SIZE, type Activity } from "@tapthru/proto/http/activity";
import { escapeFormula } from "@tapthru/proto/rules/csv-cell";
import { ACTIVITY_EXPORT_MAX_COUNT } from "@tapthru/proto/rules/limits";
import type { Context } from "koa";
import { TextReply } from "../http/mount.ts";
import { CSV_TYPE, type CsvRecord, csvStream } from "../http/streams.ts";
import type { PageOf } from "./queries.ts";

type FindPage<Row extends Activity> = (page: PageOf) => Promise<readonly Row[]>;

/** A page of rows, or as text/csv all of them. */
export async function activityReply<Row extends Activity>(
  ctx: Context,
  findPage: FindPage<Row>,
  before: number | undefined,
) {
  ctx.vary("Accept");
  if (ctx.accepts("json", "text/csv") === "text/csv") {
    ctx.attachment("activity.csv");
    const body = new TextReply(CSV_TYPE, csvStream(COLUMNS, records(activityPages(findPage))));
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

const COLUMNS = ["time", "actor", "name", "action", "object", "before", "after", "request"];

async function* records(pages: AsyncIterable<readonly Activity[]>): AsyncGenerator<CsvRecord> {
  for await (const rows of pages) {
    for (const row of rows) yield record(row);
  }
}

function record({ at, actor, actorName, action, object, before, after, requestId }: Activity) {
  return {
    time: at,
    actor,
    name: escapeFormula(actorName ?? ""),
    action,
    object: escapeFormula(object),
    before: before && JSON.stringify(before),
    after: after && JSON.stringify(after),
    request: requestId && escapeFormula(requestId),
  };
}
