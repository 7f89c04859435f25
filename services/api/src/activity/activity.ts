import type { Db } from "@tapthru/core/platform/postgres/postgres";
import * as calls from "@tapthru/proto/activity";
import { ACTIVITY_PAGE_SIZE, Activity } from "@tapthru/proto/activity";
import type { CsvSeparator } from "@tapthru/proto/fields";
import { keyNotAllowed } from "@tapthru/proto/keys";
import { escapeFormula } from "@tapthru/proto/rules/csv-cell";
import { ACTIVITY_EXPORT_MAX_COUNT } from "@tapthru/proto/rules/limits";
import type { Context } from "koa";
import { sql } from "slonik";
import { handlers, TextReply } from "../calls/handlers.ts";
import { ApiError } from "../http/errors.ts";
import { CSV_TYPE, type CsvRecord, csvStream } from "../http/streams.ts";
import { getLink } from "../links/user-links.ts";

export const activityHandlers = handlers(calls, {
  listActivity: async ({ db }, { ctx, caller: { userId, personId, scopes }, query }) => {
    const { link: shortCode, ...page } = query;
    if (shortCode === undefined && scopes !== null) throw new ApiError(keyNotAllowed);
    const linkId = shortCode === undefined ? null : (await getLink(db, { userId, shortCode })).id;
    const findPage = (page: PageOf) => findActivity(db, { userId, personId, linkId }, page);
    return activityReply(ctx, page, findPage, OWNER_COLUMNS);
  },
});

export interface PageOf {
  /** The page begins after this row; by default with the newest. */
  before?: number | undefined;
  limit: number;
}

type FindPage<Row extends Activity> = (page: PageOf) => Promise<readonly Row[]>;

/** Of the file. */
interface Columns<Row> {
  names: readonly string[];
  record: (row: Row) => CsvRecord;
}

/** A page of rows, or as text/csv all of them with the columns. */
export async function activityReply<Row extends Activity>(
  ctx: Context,
  { before, separator }: Pick<PageOf, "before"> & { separator?: CsvSeparator },
  findPage: FindPage<Row>,
  { names, record }: Columns<Row>,
) {
  ctx.vary("Accept");
  if (ctx.accepts("json", "text/csv") === "text/csv") {
    ctx.attachment("activity.csv");
    const records = async function* () {
      for await (const rows of activityPages(findPage)) yield* rows.map(record);
    };
    return new TextReply(CSV_TYPE, csvStream(names, records(), separator));
  }
  const rows = await findPage({ before, limit: ACTIVITY_PAGE_SIZE + 1 });
  const activity = rows.slice(0, ACTIVITY_PAGE_SIZE);
  const nextBefore = rows.length > activity.length ? (activity.at(-1)?.id ?? null) : null;
  return { activity, nextBefore };
}

const ROWS_PER_QUERY = 1_000;

/** The rows, in pages, at most ACTIVITY_EXPORT_MAX_COUNT. */
export async function* activityPages<Row extends Activity>(findPage: FindPage<Row>): AsyncGenerator<readonly Row[]> {
  let before: number | undefined;
  for (let count = 0; count < ACTIVITY_EXPORT_MAX_COUNT; count += ROWS_PER_QUERY) {
    const rows = await findPage({ before, limit: ROWS_PER_QUERY });
    yield rows;
    if (rows.length < ROWS_PER_QUERY) return;
    before = rows.at(-1)?.id;
  }
}

export const OWNER_COLUMNS: Columns<Activity> = {
  names: ["time", "actor", "name", "action", "object", "before", "after", "request", "user"],
  record: ({ at, actor, actorName, actorUsername, action, object, before, after, requestId }) => ({
    time: at,
    actor,
    name: escapeFormula(actorName ?? ""),
    action,
    object: escapeFormula(object),
    before: before && JSON.stringify(before),
    after: after && JSON.stringify(after),
    request: requestId && escapeFormula(requestId),
    user: escapeFormula(actorUsername ?? ""),
  }),
};

/** Kinds of changes of how a user logs in, and of what is theirs alone. */
const PERSONAL_KINDS = [
  "account",
  "email",
  "password",
  "password-link",
  "passkey",
  "two-factor",
  "recovery-codes",
  "session",
  "sessions",
  "key",
  "digest",
  "amazon-ads-connection",
];

/**
 * What was changed of a user's objects, the newest first. The names of operators and of their keys are left out.
 * @param personId the reader: the user, or a member, who does not see what concerns the user alone
 * @param linkId only what was changed of this link
 */
export function findActivity(
  db: Db<"any">,
  { userId, personId, linkId }: { userId: number; personId: number; linkId: number | null },
  { before, limit }: PageOf,
): Promise<readonly Activity[]> {
  const isOfLink =
    linkId === null ? sql.fragment`TRUE` : sql.fragment`object_id = ${String(linkId)} AND action LIKE 'link.%'`;
  const isVisible =
    userId === personId
      ? sql.fragment`TRUE`
      : sql.fragment`split_part(action, '.', 1) <> ALL(${sql.array(PERSONAL_KINDS, "text")})`;
  return db.any(sql.type(Activity)`
    SELECT log.id, utc_text(at) AS at, actor, CASE WHEN actor <> 'operator' THEN actor_name END AS "actorName",
      CASE WHEN actor <> 'operator' AND actor_id <> ${personId} THEN coalesce(username, 'a deleted user') END AS "actorUsername",
      action, object, before, after, request_id AS "requestId"
    FROM audit_log AS log LEFT JOIN users ON users.id = actor_id
    WHERE owner_id = ${userId} AND ${isOfLink} AND ${isVisible} AND ${isBefore(before)}
    ORDER BY log.id DESC LIMIT ${limit}
  `);
}

export const isBefore = (id: number | undefined) =>
  id === undefined ? sql.fragment`TRUE` : sql.fragment`log.id < ${id}`;
