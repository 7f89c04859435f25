import { type EventName, RECEIVED_AS, type WebhookEvent } from "@tapthru/proto/events";
import { type FragmentSqlToken, sql } from "slonik";
import * as z from "zod/mini";
import { currentActor } from "./platform/actor.ts";
import type { Db } from "./platform/postgres/postgres.ts";

interface RecordedRows {
  /** The columns that identify a row, by default `id`. */
  key?: readonly string[];
  /** The column that people know it by, by default `name`; null: it is a setting of its owner. */
  name?: string | null;
  /** The column with its owner, by default `user_id`; null: it is no user's. */
  owner?: string | null;
}

/** @param columns that people may see. `channel` is the name of that of `channel_id` */
function rows(table: string, columns: string, place: RecordedRows = {}) {
  const { key = ["id"], name = "name", owner = "user_id" } = place;
  return { table, columns: columns.split(" "), key, name, owner };
}

export const ROWS = {
  account: rows("users", "username email is_operator state displayed_name shows_disclosure weekly_email", {
    name: "username",
    owner: "id",
  }),
  "amazon-ads-connection": rows("amazon_ads_connections", "account_name account_email", {
    key: ["user_id"],
    name: "account_name",
  }),
  channel: rows("channels", "name is_default fallback_url"),
  "channel-tag": rows("channel_tags", "channel marketplace tag", { key: ["channel_id", "marketplace"], name: "tag" }),
  domain: rows("domains", "host is_default hsts verified_at off_at", { name: "host" }),
  "earnings-import": rows("earnings_imports", "file_name state marketplace store_id date_order", { name: "file_name" }),
  "earnings-rates": rows("earnings_rates", "currency rates", { key: ["user_id"], name: null }),
  invitation: rows("invitations", "makes_operator expires_at", { name: "id", owner: null }),
  key: rows("api_keys", "name start scopes expires_at", { owner: "owner_id" }),
  label: rows("labels", "name colour"),
  member: rows("members", "name role joined_at", { owner: "account_id" }),
  "onelink-store": rows("onelink_stores", "marketplace", { key: ["user_id", "marketplace"], name: "marketplace" }),
  routing: rows("routing_settings", "is_on fallback assistants_get_tag", { key: ["user_id"], name: null }),
  "shared-page": rows("shared_pages", "name ends_on"),
  webhook: rows("webhooks", "host events disabled_at quiet_hours previous_secret_until", { name: "host" }),
};
type RowKind = keyof typeof ROWS;

export type RowEvent = Extract<EventName, `${RowKind}.${"created" | "changed" | "deleted" | "finished"}`>;

export function recordedColumns(event: RowEvent): FragmentSqlToken {
  const { key, name, owner, columns } = rowsOf(event);
  const all = new Set([...key, name ?? [], owner ?? [], ...columns].flat());
  return sql.fragment`${sql.join(
    [...all].map((column) => sql.identifier([column])),
    sql.fragment`, `,
  )}`;
}

const rowsOf = (event: RowEvent) => ROWS[event.slice(0, event.indexOf(".")) as RowKind];

/** A name in a statement, which cannot be a value. */
const text = (value: string) => sql.literalValue(value);

function columnOf(row: string, name: string): FragmentSqlToken {
  const column = (each: string) => sql.identifier([row, each]);
  if (name === "web_url") return sql.fragment`link_url(${sql.identifier([row])}::links, ${column(name)})`;
  if (name !== "channel") return sql.fragment`${column(name)}`;
  return sql.fragment`(SELECT name FROM channels WHERE channels.id = ${column("channel_id")})`;
}

function shown(row: string, columns: readonly string[]): FragmentSqlToken {
  const entries = columns.map((name) => sql.fragment`${text(name)}, ${columnOf(row, name)}`);
  return sql.fragment`jsonb_build_object(${sql.join(entries, sql.fragment`, `)})`;
}

const insertActivity = sql.fragment`INSERT INTO audit_log (
    actor, actor_id, actor_name, request_id, address_hash, action, object_id, object, owner_id, before, after
  )`;

function actorValues(addressHash?: string): FragmentSqlToken {
  const actor = currentActor();
  return sql.fragment`${actor?.kind ?? null}::text, ${actor?.userId ?? null}::integer, ${actor?.name ?? null}::text,
    ${actor?.requestId ?? null}::text, decode(${addressHash ?? actor?.addressHash ?? null}::text, 'hex')`;
}

/** As a value, so that the text of a prepared statement is the same with and without an actor. */
const hasActor = () => sql.fragment`${currentActor() !== null}::boolean`;

/**
 * A CTE of a statement, by which the webhooks of users receive an event. Several events of a link in one transaction are one.
 * @param events a query: `owner_id`, `link_id` (null if it is not of a link) and `data`
 */
export const delivered = (event: WebhookEvent, events: FragmentSqlToken): FragmentSqlToken => sql.fragment`delivery AS (
    INSERT INTO webhook_deliveries (webhook_id, type, link_id, data)
    SELECT webhook.id, ${text(event)}, event.link_id, event.data
    FROM (${events}) AS event JOIN webhooks AS webhook ON webhook.user_id = event.owner_id
      AND webhook.disabled_at IS NULL AND ${text(event)} = ANY (webhook.events)
    ON CONFLICT ON CONSTRAINT webhook_deliveries_link_once DO UPDATE SET data = excluded.data
  )`;

/**
 * A CTE that records what a statement does to rows: once for each row, and nothing for one that stays as it was. The CTE `object` has
 * the columns of the rows; for a change, `before` has those before.
 */
export function recorded(event: RowEvent, rows = "object"): FragmentSqlToken {
  const { key, name, owner, columns } = rowsOf(event);
  const column = (each: string) => sql.identifier([rows, each]);
  const keys = key.map((each) => sql.fragment`${column(each)}::text`);
  const object = sql.fragment`${text(event)}, concat_ws(' ', ${sql.join(keys, sql.fragment`, `)}),
      ${name === null ? sql.fragment`''` : sql.fragment`coalesce(${column(name)}::text, '')`},
      ${owner === null ? sql.fragment`NULL::integer` : sql.fragment`${column(owner)}`}`;
  const start = sql.fragment`event AS (${insertActivity}
    SELECT ${actorValues()}, ${object}`;
  const from = sql.fragment`FROM ${sql.identifier([rows])}`;
  if (event.endsWith(".created")) {
    return sql.fragment`${start}, NULL::jsonb, jsonb_strip_nulls(${shown(rows, columns)}) ${from} WHERE ${hasActor()})`;
  }
  if (event.endsWith(".deleted")) {
    return sql.fragment`${start}, jsonb_strip_nulls(${shown(rows, columns)}), NULL::jsonb ${from} WHERE ${hasActor()})`;
  }
  const isOne = key.map((each) => sql.fragment`${sql.identifier(["before", each])} = ${column(each)}`);
  return sql.fragment`${start}, differing(was, now), differing(now, was)
    ${from} LEFT JOIN before ON ${sql.join(isOne, sql.fragment` AND `)}
    CROSS JOIN LATERAL (SELECT ${shown("before", columns)} AS was, ${shown(rows, columns)} AS now) AS columns
    WHERE ${hasActor()} AND was <> now)`;
}

type EventOf<Verb extends string> = Extract<RowEvent, `${string}.${Verb}`>;
const tableOf = (event: RowEvent) => sql.identifier([rowsOf(event).table]);

type Text = Parameters<typeof sql.fragment>;

/** CTEs of a statement: `object` has the rows that it inserts, which are recorded. The text is what follows the table's name. */
export const inserted =
  (event: EventOf<"created">) =>
  (...rows: Text) =>
    sql.fragment`object AS (INSERT INTO ${tableOf(event)} ${sql.fragment(...rows)} RETURNING *), ${recorded(event)}`;

/** The same for the rows that it deletes. The text is the condition. */
export const deleted =
  (event: EventOf<"deleted">) =>
  (...which: Text) =>
    sql.fragment`object AS (DELETE FROM ${tableOf(event)} WHERE ${sql.fragment(...which)} RETURNING *), ${recorded(event)}`;

/** The same for rows that it changes: `object` has them after the change, `before` has locked them and has them before. */
export const changed =
  (event: EventOf<"changed" | "finished">, which: FragmentSqlToken) =>
  (...changes: Text) => {
    const names = rowsOf(event).key.map((column) => sql.identifier([column]));
    const key = sql.join(names, sql.fragment`, `);
    return sql.fragment`before AS MATERIALIZED (SELECT * FROM ${tableOf(event)} WHERE ${which} FOR NO KEY UPDATE), object AS (
      UPDATE ${tableOf(event)} SET ${sql.fragment(...changes)} WHERE (${key}) IN (SELECT ${key} FROM before) RETURNING *
    ), ${recorded(event)}`;
  };

export interface ObjectEvent {
  objectId: string;
  object: string;
  ownerId: number | null;
  before?: Record<string, unknown>;
  after?: Record<string, unknown>;
  /** That of the network address that it is about, instead of the actor's. */
  addressHash?: string;
}

/** Records an event in the transaction of the change, or before something is changed that is not in Postgres. */
export async function record(
  db: Db<"query">,
  event: EventName,
  { objectId, object, ownerId, before, after, addressHash }: ObjectEvent,
): Promise<void> {
  const json = (columns?: object) => sql.fragment`${columns ? JSON.stringify(columns) : null}::jsonb`;
  await db.query(sql.type(z.object({}))`${insertActivity}
    SELECT ${actorValues(addressHash)}, ${event}, ${objectId}, ${object}, ${ownerId}::integer, ${json(before)}, ${json(after)}
    WHERE ${hasActor()}
  `);
}

const LINK_COLUMNS = [
  ...["short_code", "web_url", "title", "image_url", "nickname", "starts_at", "expires_at", "fallback_url", "opening"],
  ...["channel", "routing", "taken_down_at"],
];

/** Webhooks do not receive a change of these alone. */
const ONLY_IN_ACTIVITY = sql.fragment`'{channel,routing,untagged_code}'::text[]`;

const describedLink = sql.fragment`${shown("link", LINK_COLUMNS)} || jsonb_build_object(
    'labels', (SELECT jsonb_agg(label.name ORDER BY label.name)
      FROM link_labels JOIN labels AS label ON label.id = label_id WHERE link_id = link.id),
    'untagged_code', (SELECT code.short_code FROM link_codes AS code WHERE code.link_id = link.id AND code.is_untagged))`;

type LinkEvent = `link.${"changed" | "claimed" | "created" | "deleted" | "restored"}`;

/**
 * CTEs of a statement that record an event for each row of its CTE `event`: `id`, `short_code` and `owner_id` of a link, `before`,
 * `after`, and the row of the link, `link`.
 * @param isForWebhooks a condition for those that webhooks receive
 */
export function linkEvents(event: LinkEvent, isForWebhooks = sql.fragment`TRUE`): FragmentSqlToken {
  const data =
    event === "link.deleted"
      ? sql.fragment`jsonb_build_object('id', id, 'shortCode', short_code)`
      : sql.fragment`link_event_data(link)`;
  return sql.fragment`logged AS (${insertActivity}
      SELECT ${actorValues()}, ${text(event)}, id::text, short_code, owner_id, before, after FROM event WHERE ${hasActor()}
    ), ${delivered(RECEIVED_AS[event], sql.fragment`SELECT owner_id, id AS link_id, ${data} AS data FROM event WHERE ${isForWebhooks}`)}`;
}

/** CTEs of the statement that inserts links, whose CTE `link` has all of their columns. */
export const recordedCreation = () => sql.fragment`event AS (
    SELECT id, short_code, user_id AS owner_id, NULL::jsonb AS before, jsonb_strip_nulls(${shown("link", LINK_COLUMNS)}) AS after,
      link::links AS link
    FROM link
  ), ${linkEvents("link.created")}`;

/** CTEs of a statement that deletes links: `rows` is a CTE that has locked them, with all of their columns. */
export const recordedDeletion = (rows: string) => sql.fragment`event AS (
    SELECT id, short_code, user_id AS owner_id, jsonb_strip_nulls(${shown("link", LINK_COLUMNS)}) AS before, NULL::jsonb AS after
    FROM ${sql.identifier([rows])} AS link
  ), ${linkEvents("link.deleted")}`;

export const linksOf = (ids: readonly number[]) => sql.fragment`link.id = ANY(${sql.array([...ids], "int8")})`;

const Described = z.object({ id: z.int(), columns: z.unknown() });

/**
 * Records what `change` does to links, in its transaction: one event for each link, and nothing for one that stays as it was. Without
 * an actor, as for what follows from a change of many links, only webhooks receive it.
 * @param which a condition for `links AS link`, before and after the change
 */
export async function recordLinks<T>(
  transaction: Db<"any" | "exists" | "query">,
  event: LinkEvent,
  which: FragmentSqlToken,
  change: () => Promise<T>,
): Promise<T> {
  const webhook = RECEIVED_AS[event];
  const isAwaited = sql.type(z.object({}))`
    SELECT FROM links AS link JOIN webhooks AS webhook ON webhook.user_id = link.user_id
    WHERE ${which} AND webhook.disabled_at IS NULL AND ${webhook} = ANY (webhook.events)
  `;
  if (currentActor() === null && !(await transaction.exists(isAwaited))) return change();
  const isNew = event === "link.created" || event === "link.restored";
  const before = isNew
    ? []
    : await transaction.any(
        sql.type(Described)`SELECT link.id, ${describedLink} AS columns FROM links AS link WHERE ${which}`,
      );
  const result = await change();
  await transaction.query(sql.type(z.object({}))`
    WITH event AS MATERIALIZED (
      SELECT link.id, link.short_code, link.user_id AS owner_id, link, was.columns AS was, now.columns AS now,
        differing(was.columns, now.columns) AS before,
        CASE WHEN was.id IS NULL THEN jsonb_strip_nulls(now.columns) ELSE differing(now.columns, was.columns) END AS after
      FROM links AS link CROSS JOIN LATERAL (SELECT ${describedLink} AS columns) AS now
      LEFT JOIN jsonb_to_recordset(${JSON.stringify(before)}::jsonb) AS was (id bigint, columns jsonb) ON was.id = link.id
      WHERE ${which} AND now.columns IS DISTINCT FROM was.columns
    ), ${linkEvents(event, sql.fragment`was IS NULL OR was - ${ONLY_IN_ACTIVITY} <> now - ${ONLY_IN_ACTIVITY}`)}
    SELECT
  `);
  return result;
}
