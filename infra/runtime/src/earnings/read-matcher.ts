import { type CommonQueryMethods, sql } from "slonik";
import * as z from "zod/mini";
import { TagMatcher } from "./match-tags.ts";

type Query = Pick<CommonQueryMethods, "any">;

/** Reads how tracking ids of a user lead to their links and channels. */
export async function readMatcher(db: Query, userId: number) {
  const links = await findLinks(db, userId);
  const matcher = new TagMatcher({
    links,
    earlierDestinations: await findEarlierDestinations(db, userId),
    channelTags: await findChannelTags(db, userId),
  });
  return { links, matcher };
}

const LinkRow = z.object({
  id: z.int(),
  shortCode: z.string(),
  webUrl: z.string(),
  channelId: z.int(),
  isRouted: z.boolean(),
});
export type LinkRow = z.infer<typeof LinkRow>;

/** BETWEEN makes Postgres use the index on `user_id`, as in the api's `links/user-links-queries.ts`. */
function findLinks(db: Query, userId: number) {
  return db.any(sql.type(LinkRow)`
    SELECT link.id, link.short_code AS "shortCode", link.web_url AS "webUrl",
      coalesce(link.channel_id, channel.id) AS "channelId",
      coalesce(link.routing, setting.is_on, false) AS "isRouted"
    FROM links AS link
    JOIN channels AS channel ON channel.user_id = link.user_id AND channel.is_default
    LEFT JOIN routing_settings AS setting ON setting.user_id = link.user_id
    WHERE link.user_id BETWEEN ${userId} AND ${userId}
  `);
}

const Destination = z.object({ linkId: z.int(), webUrl: z.string() });

function findEarlierDestinations(db: Query, userId: number) {
  return db.any(sql.type(Destination)`
    SELECT link_id AS "linkId", earlier.web_url AS "webUrl"
    FROM links AS link JOIN link_destinations AS earlier ON earlier.link_id = link.id
    WHERE link.user_id BETWEEN ${userId} AND ${userId}
  `);
}

const ChannelTagRow = z.object({
  channelId: z.int(),
  marketplace: z.string(),
  tag: z.string(),
  isPresent: z.boolean(),
});

/** Present tags of channels, then earlier ones. */
function findChannelTags(db: Query, userId: number) {
  return db.any(sql.type(ChannelTagRow)`
    SELECT channel_id AS "channelId", marketplace, tag, is_present AS "isPresent" FROM (
      SELECT channel_id, marketplace, tag, true AS is_present FROM channel_tags WHERE user_id = ${userId}
      UNION ALL
      SELECT channel_id, marketplace, tag, false FROM earlier_channel_tags AS earlier
      WHERE user_id = ${userId} AND EXISTS (SELECT FROM channels WHERE id = earlier.channel_id)
    ) AS known ORDER BY is_present DESC
  `);
}
