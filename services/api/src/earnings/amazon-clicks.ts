import { allTagsOf, channelOfLink, channelTagsOf, isOneOf, tagChannels } from "@tapthru/core/earnings/tag-channels";
import type { Db } from "@tapthru/core/platform/postgres/postgres";
import { type FragmentSqlToken, sql } from "slonik";
import * as z from "zod/mini";
import { storePeople } from "./people.ts";
import type { OwnDays } from "./reports.ts";

/** The newest reports of a user that are read, and tags of each, those with the most clicks. */
const REPORTS_MAX_COUNT = 100;
const TAGS_MAX_COUNT = 500;
const CHANGES_MAX_COUNT = 100_000;

const AmazonClicks = z.object({ channelId: z.int(), clicks: z.int(), people: z.int() });

/**
 * Finds Amazon's clicks by the id of a channel. Compares the tracking reports in a range of days with the people of present links, for each channel that a report of the same
 * account has ever had. A report counts if no later one has any of its days, and if it was made after its last day. A channel is left out
 * if a link got one of its tags, or lost one, since the report begins: all people of the link count for its present tag, Amazon's
 * clicks for the tag of the time.
 */
export async function findAmazonClicks(
  db: Db<"any">,
  days: OwnDays,
): Promise<ReadonlyMap<string | null, { clicks: number; people: number }>> {
  const { userId, from, to } = days;
  const found = await db.any(sql.type(AmazonClicks)`
    WITH report AS MATERIALIZED (
      SELECT report.id, report.marketplace, report.store_id, first_day, last_day, days
      FROM earnings_reports AS report JOIN earnings_imports AS import ON import.id = import_id
      WHERE report.user_id = ${userId} AND kind = 'tracking' AND import.state = 'stored'
        AND last_day < (import.stored_at AT TIME ZONE 'UTC')::date
      ORDER BY last_day DESC, import.stored_at DESC LIMIT ${REPORTS_MAX_COUNT}
    ), tracked AS MATERIALIZED (
      SELECT report.id, marketplace, tracked.* FROM report CROSS JOIN LATERAL (
        SELECT lower(tag) AS tag, coalesce(sum(clicks), 0) AS clicks FROM earnings_rows WHERE report_id = report.id
        GROUP BY 1 ORDER BY 2 DESC LIMIT ${TAGS_MAX_COUNT}
      ) AS tracked
    ), counted AS MATERIALIZED (
      SELECT id, "channelId" AS channel_id, sum(clicks) AS clicks
      FROM tracked JOIN (${tagChannels(userId, sql.fragment`SELECT DISTINCT marketplace, tag FROM tracked`)}) AS tag USING (marketplace, tag)
      WHERE "channelId" IS NOT NULL GROUP BY 1, 2
    ), changed AS MATERIALIZED (${tagChanges(userId, from)}), compared AS (
      SELECT marketplace, channel_id, first_day, last_day, sum(coalesce(clicks, 0)) AS clicks
      FROM report JOIN (
        SELECT DISTINCT marketplace, store_id, channel_id FROM counted JOIN report USING (id)
      ) AS named USING (marketplace, store_id) LEFT JOIN counted USING (id, channel_id) LEFT JOIN changed USING (channel_id)
      WHERE days = datemultirange(daterange(first_day, last_day, '[]')) AND (changed_on >= first_day) IS NOT TRUE
        AND first_day >= ${from}::text::date AND last_day <= ${to}::text::date
      GROUP BY 1, 2, 3, 4
    )
    SELECT channel_id AS "channelId", sum(clicks)::bigint AS clicks, sum(people)::bigint AS people FROM (
      SELECT compared.*, greatest(0, round(coalesce(sum(people), 0))) AS people
      FROM compared LEFT JOIN (${storePeople(days)}) AS person
        ON (person.marketplace, person.channel_id) = (compared.marketplace, compared.channel_id) AND day BETWEEN first_day AND last_day
      GROUP BY compared.marketplace, compared.channel_id, first_day, last_day, clicks
    ) AS compared GROUP BY 1
  `);
  return new Map(found.map(({ channelId, ...counts }) => [String(channelId), counts]));
}

/** The channels with a tag that a link, or another channel, got or lost since a day, and the last day on which one did. */
function tagChanges(userId: number, since: string): FragmentSqlToken {
  const own = channelOfLink(userId);
  return sql.fragment`
    WITH known AS MATERIALIZED (${channelTagsOf(userId)}), earlier AS MATERIALIZED (
      SELECT link_id, marketplace, tag, replaced_at FROM link_destinations
      WHERE user_id = ${userId} AND replaced_at >= ${since}::text::date
      ORDER BY replaced_at DESC LIMIT ${CHANGES_MAX_COUNT}
    ), change AS (
      SELECT replaced_at, coalesce(past.channel_id, ${own}) AS past, coalesce(present.channel_id, ${own}) AS present,
        earlier.tag IS NULL OR earlier.marketplace <> link.marketplace AS is_other
      FROM links AS link JOIN earlier ON earlier.link_id = link.id
      LEFT JOIN known AS past ON (past.marketplace, past.tag) = (earlier.marketplace, earlier.tag)
      LEFT JOIN known AS present ON (present.marketplace, present.tag) = (link.marketplace, link.tag)
      WHERE ${isOneOf(userId, sql.fragment`SELECT link_id FROM earlier`)}
      UNION ALL
      SELECT past.ended_at, past.channel_id, present.channel_id, false
      FROM (${allTagsOf(userId)}) AS past JOIN known AS present USING (marketplace, tag)
      WHERE past.ended_at BETWEEN ${since}::text::date AND now()
    )
    SELECT channel_id, max((replaced_at AT TIME ZONE 'UTC')::date) AS changed_on
    FROM change CROSS JOIN LATERAL (VALUES (past), (present)) AS side (channel_id)
    WHERE is_other OR past <> present GROUP BY 1
  `;
}
