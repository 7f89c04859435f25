import { delivered, linksOf, recordLinks } from "@tapthru/core/events";
import { BULK_UPDATES, type BulkUpdateKind } from "@tapthru/core/links/bulk-updates";
import { type ChangedLink, changeDestinations } from "@tapthru/core/links/change-destinations";
import { withEmptyTag, withProduct } from "@tapthru/core/links/link-addresses";
import { resolveAbuseReports } from "@tapthru/core/links/taken-down-links";
import { insertLinkChanges } from "@tapthru/core/outbox";
import type { Db } from "@tapthru/core/platform/postgres/postgres";
import { type FragmentSqlToken, sql } from "slonik";
import * as z from "zod/mini";
import type { App } from "../app.ts";

type BatchApp = Pick<App, "db" | "publicBaseUrl">;

/** Links that a batch looks at. Few or many of them may change. Changing all of them reads less than 20,000 pages of tables and indexes. */
export const BULK_UPDATE_BATCH = 400;

export const BULK_UPDATE_ITEMS = "bulk-updates";

interface NextLinks {
  /**
   * A query that reads a batch in the order of an index: `id`, and `place`, after which the next batch begins. All that the change is
   * about are in it, so that no batch reads more for a user with more links.
   */
  next: FragmentSqlToken;
  /** Which of them change: a condition for `all_links AS link`. Those that are deleted may be restored. */
  isChanged: FragmentSqlToken;
  /** @param ids those that change, which are locked */
  change(ids: readonly number[]): Promise<unknown>;
  end?(): Promise<unknown>;
}

const batchOf = (links: FragmentSqlToken, afterId = 0) => sql.fragment`
  SELECT id, id AS place FROM all_links AS link WHERE ${links} AND id > ${afterId} ORDER BY id LIMIT ${BULK_UPDATE_BATCH}`;

/** Which links come next, and how they change. `mayBegin` is a condition for `bulk_updates AS change`. */
export const BULK_UPDATE_KINDS: Record<BulkUpdateKind, ReturnType<typeof defineKind>> = {
  /** Takes the links of a user or a network address down, or lets those work again that were taken down with it. */
  "take-down": defineKind(
    BULK_UPDATES["take-down"],
    async ({ db }, { links, isTakenDown }, afterId) => ({
      next:
        links.cause === "address"
          ? sql.fragment`
              SELECT CASE WHEN action = 'link.created' THEN object_id::bigint END AS id, id AS place FROM audit_log
              WHERE address_hash = decode(${links.addressHash}, 'hex') AND id > ${afterId}
              ORDER BY id LIMIT ${BULK_UPDATE_BATCH}`
          : batchOf(sql.fragment`user_id = ${links.userId}`, afterId),
      isChanged: isTakenDown ? sql.fragment`taken_down_at IS NULL` : sql.fragment`takedown_cause = ${links.cause}`,
      change: (ids) => resolveAbuseReports(db, ids, isTakenDown ? "taken-down" : null, links.cause),
    }),
    // A later one may undo an earlier one, also one that is quarantined.
    sql.fragment`NOT EXISTS (
      SELECT FROM bulk_updates AS earlier
      WHERE earlier.kind = change.kind AND earlier.owner = change.owner AND earlier.id < change.id
    )`,
  ),
  /**
   * Raises the revisions of links whose records say what is known of a product, sets the names by which they are sorted, and has their
   * health determined again.
   */
  "product-state": defineKind(BULK_UPDATES["product-state"], async ({ db }, pages, afterId) => ({
    next:
      "canonicalUrl" in pages
        ? batchOf(sql.fragment`canonical_url = ${pages.canonicalUrl}`, afterId)
        : sql.fragment`
            SELECT link.id, link.id AS place FROM products CROSS JOIN LATERAL (
              ${batchOf(sql.fragment`link.canonical_url = products.canonical_url`, afterId)}
            ) AS link
            WHERE product_id = ${pages.asin} ORDER BY link.id LIMIT ${BULK_UPDATE_BATCH}`,
    isChanged: sql.fragment`TRUE`,
    change: (ids) =>
      db.query(sql.type(Nothing)`
        WITH health AS (
          SELECT link_id FROM link_health WHERE link_id = ANY(${sql.array(ids, "int8")}) ORDER BY link_id FOR NO KEY UPDATE
        ), stale AS (
          UPDATE link_health SET is_stale = true FROM health WHERE link_health.link_id = health.link_id
        ), link AS (
          UPDATE all_links AS link SET revision = revision + 1, canonical_url = canonical_url
          WHERE id = ANY(${sql.array(ids, "int8")}) AND taken_down_at IS NULL
          RETURNING short_code, revision
        )
        ${insertLinkChanges}
      `),
  })),
  /** Gives links to a product another one, or the address back that they had before a change. */
  product: defineKind(
    BULK_UPDATES.product,
    async ({ db, publicBaseUrl }, { userId, marketplace, from, to, changedAt, undoOf = null }, afterId) => {
      const isOfProduct = sql.fragment`user_id = ${userId} AND asin = ${from} AND deleted_at IS NULL`;
      // The address of the last other product, if that change replaced it, whose time it has: what its user gave a link stays.
      const earlierUrl = sql.fragment`(
        SELECT original_url FROM (
          SELECT original_url, asin, replaced_at FROM link_destinations
          WHERE link_id = link.id AND asin IS DISTINCT FROM ${from} ORDER BY id DESC LIMIT 1
        ) AS before
        WHERE asin = ${to} AND replaced_at = ${undoOf}::text::timestamptz
      )`;
      return {
        next: batchOf(isOfProduct, afterId),
        isChanged: sql.fragment`${isOfProduct} AND marketplace = ${marketplace} AND taken_down_at IS NULL`,
        async change(ids) {
          const links = await db.any(sql.type(BatchLink)`
            SELECT id, channel_id AS "channelId", follows_channel AS "followsChannel", web_url AS "webUrl", ${earlierUrl} AS "earlierUrl"
            FROM links AS link WHERE id = ANY(${sql.array(ids, "int8")})
          `);
          const changed = links.flatMap(({ webUrl, earlierUrl, ...link }): ChangedLink[] => {
            if (undoOf !== null && earlierUrl === null) return [];
            const own = withProduct(publicBaseUrl, webUrl, to, earlierUrl);
            const addresses = own && link.followsChannel ? withEmptyTag(publicBaseUrl, own) : own;
            return addresses === null ? [] : [{ ...link, ...addresses }];
          });
          await recordLinks(db, "link.changed", linksOf(ids), () =>
            db.query(sql.type(Nothing)`${changeDestinations(changed, changedAt)} SELECT FROM link`),
          );
        },
      };
    },
  ),
  /** Records that the links of a label changed, which was renamed, or takes a deleted one off them. Its own row is gone by then. */
  label: defineKind(BULK_UPDATES.label, async ({ db }, { labelId, isDeleted }, afterId) => ({
    next: sql.fragment`
        SELECT link_id AS id, link_id AS place FROM link_labels WHERE label_id = ${labelId} AND link_id > ${afterId}
        ORDER BY link_id LIMIT ${BULK_UPDATE_BATCH}`,
    isChanged: sql.fragment`TRUE`,
    change: (ids) =>
      isDeleted
        ? db.query(sql.type(Nothing)`
            WITH ${delivered("link.changed", changedLinks(ids))}
            DELETE FROM link_labels WHERE label_id = ${labelId} AND link_id = ANY(${sql.array(ids, "int8")})
          `)
        : db.query(sql.type(Nothing)`WITH ${delivered("link.changed", changedLinks(ids))} SELECT`),
  })),
  /** Removes a channel that its user deleted from its links, which keep their tags, and then the channel itself. */
  "delete-channel": defineKind(
    BULK_UPDATES["delete-channel"],
    async ({ db }, { channelId: id }) => {
      // No other transaction can put a link on the channel before this one ends.
      await db.query(sql.type(Nothing)`SELECT FROM channels WHERE id = ${id} FOR UPDATE`);
      return {
        next: batchOf(sql.fragment`channel_id = ${id}`),
        isChanged: sql.fragment`channel_id = ${id}`,
        change: (ids) =>
          changeLinks(
            db,
            ids,
            sql.fragment`channel_id = NULL, follows_channel = false, tag = lower(link_tag(ROW(link.*)::links)), revision = revision + 1,
              original_url = link_url(ROW(link.*)::links, original_url), web_url = link_url(ROW(link.*)::links, web_url)`,
          ),
        end: () => db.query(sql.type(Nothing)`DELETE FROM channels WHERE id = ${id}`),
      };
    },
    // Another transaction may be putting a link on it.
    sql.fragment`EXISTS (
      SELECT FROM channels WHERE channels.id = (change.payload ->> 'channelId')::integer FOR UPDATE SKIP LOCKED
    )`,
  ),
};

function defineKind<Payload>(
  schema: z.ZodMiniType<Payload>,
  next: (app: BatchApp, payload: Payload, afterId: number) => Promise<NextLinks>,
  mayBegin = sql.fragment`TRUE`,
) {
  return {
    mayBegin,
    next: (app: BatchApp, { payload, afterId }: { payload: unknown; afterId: number }) =>
      next(app, z.parse(schema, payload), afterId),
  };
}

const Nothing = z.object({});

const changedLinks = (ids: readonly number[]) => sql.fragment`
  SELECT user_id AS owner_id, id AS link_id, link_event_data(link) AS data FROM links AS link WHERE ${linksOf(ids)}`;

async function changeLinks(db: Db<"query">, ids: readonly number[], changes: FragmentSqlToken) {
  await db.query(sql.type(Nothing)`
    WITH link AS (
      UPDATE all_links AS link SET ${changes} WHERE id = ANY(${sql.array(ids, "int8")})
      RETURNING short_code, revision
    )
    ${insertLinkChanges}
  `);
}

const BatchLink = z.object({
  id: z.int(),
  channelId: z.nullable(z.int()),
  followsChannel: z.boolean(),
  webUrl: z.string(),
  earlierUrl: z.nullable(z.string()),
});
