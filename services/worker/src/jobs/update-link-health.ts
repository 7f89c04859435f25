import { delivered } from "@tapthru/core/events";
import type { Db } from "@tapthru/core/platform/postgres/postgres";
import { parseStorePage } from "@tapthru/proto/rules/amazon/amazon-url";
import { tagHealth } from "@tapthru/proto/rules/amazon/tag-health";
import { type LinkState, linkState, PAGE_STATES } from "@tapthru/proto/rules/link-health";
import { type CommonQueryMethods, sql } from "slonik";
import * as z from "zod/mini";
import type { App } from "../app.ts";
import { dueKind } from "../due.ts";

const FoundLink = z.object({ linkId: z.int(), userId: z.int() });

export const updateLinkHealth = dueKind({
  everyMs: 10_000,
  limit: 1_000,
  claim: ({ db }: Pick<App, "db" | "logger">, { limit, isNotQuarantined }) =>
    db.any(sql.type(FoundLink)`
      SELECT link_id AS "linkId", user_id AS "userId"
      FROM link_health WHERE is_stale AND ${isNotQuarantined(sql.fragment`user_id`)}
      ORDER BY link_id LIMIT ${limit}
    `),
  keyOf: ({ userId }) => userId,
  workOnAll: ({ db }, links) =>
    changeLinks(
      db,
      links.map(({ linkId }) => linkId),
    ),
});

function changeLinks(db: CommonQueryMethods, ids: readonly number[]): Promise<void> {
  return db.transaction(async (transaction) => {
    const links = await lockStaleLinks(transaction, ids);
    const states = links.map((link) => ({ linkId: link.linkId, state: stateOf(link) }));
    if (states.length > 0) await storeLinkStates(transaction, states);
  });
}

/** `unknown` for an address that is not Amazon's; the dashboard shows such a link as invalid. */
function stateOf({ webUrl, pageState, isSavedTag }: StaleLink): LinkState {
  const page = parseStorePage(webUrl);
  return page === null ? "unknown" : linkState(tagHealth(page), pageState, isSavedTag);
}

const StaleLink = z.object({
  linkId: z.int(),
  webUrl: z.string(),
  // A newer release may know other states.
  pageState: z.catch(z.enum(PAGE_STATES), "unknown"),
  isSavedTag: z.boolean(),
});
type StaleLink = z.infer<typeof StaleLink>;

/** Those of the links whose state no other worker has determined meanwhile. */
function lockStaleLinks(transaction: Db<"any">, ids: readonly number[]) {
  return transaction.any(sql.type(StaleLink)`
    SELECT health.link_id AS "linkId", link_url(link, link.web_url) AS "webUrl",
      coalesce(product.check_state, 'unknown') AS "pageState",
      link.follows_channel OR EXISTS (
        SELECT FROM channel_tags AS own
        WHERE own.user_id = link.user_id AND own.marketplace = link.marketplace AND lower(own.tag) = link.tag
      ) AS "isSavedTag"
    FROM link_health health JOIN links link ON link.id = health.link_id
    LEFT JOIN products product USING (canonical_url)
    WHERE health.link_id = ANY(${sql.array(ids, "int8")}) AND health.is_stale
    ORDER BY health.link_id FOR NO KEY UPDATE OF health
  `);
}

/** `since` changes only with the state. Webhooks receive each change of a live link to a state that needs attention. */
export async function storeLinkStates(
  transaction: Db<"query">,
  links: readonly { linkId: number; state: LinkState }[],
): Promise<void> {
  await transaction.query(sql.type(z.object({}))`
    WITH found AS (
      SELECT health.link_id, health.state AS earlier, found.state FROM ${sql.unnest(
        links.map(({ linkId, state }) => [linkId, state]),
        ["int8", "text"],
      )} AS found (link_id, state) JOIN link_health AS health USING (link_id)
    ), health AS (
      UPDATE link_health AS health SET state = found.state, is_stale = false,
        since = CASE WHEN earlier = found.state THEN health.since ELSE now() END
      FROM found WHERE health.link_id = found.link_id
      RETURNING health.*, earlier
    ), ${delivered("link.unhealthy", unhealthy)}
    SELECT
  `);
}

const unhealthy = sql.fragment`
  SELECT link.user_id AS owner_id, link.id AS link_id,
    link_event_data(link) || jsonb_build_object('health', jsonb_build_object(
      'state', health.state, 'previousState', earlier, 'since', utc_text(health.since))) AS data
  FROM health JOIN links AS link ON link.id = health.link_id
  WHERE health.state <> earlier AND health.state NOT IN ('ok', 'unknown')
    AND link.taken_down_at IS NULL AND (link.expires_at IS NULL OR link.expires_at > now())`;
