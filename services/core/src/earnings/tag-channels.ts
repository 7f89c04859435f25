import { type CommonQueryMethods, type FragmentSqlToken, sql } from "slonik";
import * as z from "zod/mini";

export const channelOfLink = (userId: number): FragmentSqlToken => sql.fragment`
  coalesce(link.channel_id, (SELECT id FROM channels WHERE user_id = ${userId} AND is_default))
`;

/**
 * True if a `link` is one of the user's with these ids. With an array Postgres reads the index of the user's links in the order of the
 * ids, each page once; a join would look up each link, or read those of all users.
 */
export const isOneOf = (userId: number, ids: FragmentSqlToken): FragmentSqlToken => sql.fragment`
  link.user_id = ${userId} AND link.id = ANY(ARRAY(${ids}))
`;

export const isRouted = (userId: number): FragmentSqlToken => sql.fragment`
  coalesce(link.routing, (SELECT is_on FROM routing_settings WHERE user_id = ${userId}), false)
`;

/** Channels with the tracking ids that they have or had, and until when; tags are in lower case. */
export const allTagsOf = (userId: number): FragmentSqlToken => sql.fragment`
  SELECT marketplace, lower(tag) AS tag, channel_id, 'infinity' AS ended_at FROM channel_tags WHERE user_id = ${userId}
  UNION ALL
  SELECT marketplace, lower(tag), channel_id, ended_at FROM earlier_channel_tags AS earlier
  WHERE user_id = ${userId} AND EXISTS (SELECT FROM channels WHERE id = earlier.channel_id)
`;

/** The channel that has a tracking id, or else the last one that had it. */
export const channelTagsOf = (userId: number): FragmentSqlToken => sql.fragment`
  SELECT DISTINCT ON (marketplace, tag) marketplace, tag, channel_id FROM (${allTagsOf(userId)}) AS tags
  ORDER BY marketplace, tag, ended_at DESC, channel_id
`;

/** A tracking id in lower case. */
export interface StoreTag {
  marketplace: string;
  tag: string;
}

export const tagKey = ({ marketplace, tag }: StoreTag) => `${marketplace} ${tag}`;

/** More links with a tracking id are not read to see whether they are all of one channel. */
const LINKS_PER_TAG = 10_000;

/**
 * Those of the tracking ids that a channel or link of the user has or had, with "channelId": that of the tracking id, or else that of all
 * links with it; null if these are of several.
 * @param asked a query of `marketplace` and `tag` in lower case
 */
export function tagChannels(userId: number, asked: FragmentSqlToken): FragmentSqlToken {
  const channel = channelOfLink(userId);
  return sql.fragment`
    SELECT asked.marketplace, asked.tag,
      CASE WHEN known.channel_id IS NOT NULL THEN known.channel_id WHEN first = last THEN first END AS "channelId"
    FROM (${asked}) AS asked LEFT JOIN (${channelTagsOf(userId)}) AS known USING (marketplace, tag)
    LEFT JOIN LATERAL (
      SELECT min(channel) AS first, max(channel) AS last FROM (
        (
          SELECT ${channel} AS channel FROM links AS link
          WHERE known.channel_id IS NULL AND user_id = ${userId}
            AND link.marketplace = asked.marketplace AND link.tag = asked.tag
          LIMIT ${LINKS_PER_TAG}
        ) UNION ALL (
          SELECT ${channel} FROM link_destinations AS earlier JOIN links AS link ON link.id = link_id
          WHERE known.channel_id IS NULL AND link.user_id = ${userId} AND earlier.user_id = ${userId}
            AND earlier.marketplace = asked.marketplace AND earlier.tag = asked.tag
          LIMIT ${LINKS_PER_TAG}
        )
      ) AS channels
    ) AS of_links ON true
    WHERE known.channel_id IS NOT NULL OR first IS NOT NULL
  `;
}

const TAGS_PER_STATEMENT = 1_000;

const TagChannel = z.object({
  marketplace: z.string(),
  tag: z.string(),
  channelId: z.nullable(z.int()),
});

/** Finds the channels of `tagChannels` by `tagKey`. */
export async function findTagChannels(
  db: Pick<CommonQueryMethods, "any">,
  userId: number,
  tags: readonly StoreTag[],
): Promise<ReadonlyMap<string, number | null>> {
  const asked = [...new Map(tags.map((each) => [tagKey(each), each])).values()];
  const found = new Map<string, number | null>();
  for (let start = 0; start < asked.length; start += TAGS_PER_STATEMENT) {
    const some = asked.slice(start, start + TAGS_PER_STATEMENT);
    const rows = await db.any(
      sql.type(TagChannel)`${tagChannels(
        userId,
        sql.fragment`SELECT * FROM ${sql.unnest(
          some.map(({ marketplace, tag }) => [marketplace, tag]),
          ["text", "text"],
        )} AS asked (marketplace, tag)`,
      )}`,
    );
    for (const { channelId, ...each } of rows) found.set(tagKey(each), channelId);
  }
  return found;
}
