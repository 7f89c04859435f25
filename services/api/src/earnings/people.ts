import { channelOfLink, channelTagsOf, isOneOf, isRouted } from "@tapthru/core/earnings/tag-channels";
import { dimensionPrefix } from "@tapthru/proto/clicks/keys";
import { MARKETPLACES } from "@tapthru/proto/rules/amazon/marketplaces";
import { type FragmentSqlToken, sql } from "slonik";
import { isOwn, type OwnDays } from "./reports.ts";

/** The sums of people, also on the days on which reports of the store have earnings, or orders. For FROM use `ofStores`. */
export const PEOPLE: FragmentSqlToken = sql.fragment`
  sum(people) AS people, coalesce(sum(people) FILTER (WHERE day <@ store.earnings), 0) AS earning,
  coalesce(sum(people) FILTER (WHERE day <@ store.ordered), 0) AS ordering
`;

/** Adds the days of reports to rows with a `marketplace`. A WITH clause has these days as `covered`. */
export const ofStores = (rows: FragmentSqlToken): FragmentSqlToken => sql.fragment`
  (${rows}) AS counted LEFT JOIN (
    SELECT marketplace, range_agg(earnings) AS earnings, range_agg(ordered) AS ordered FROM covered GROUP BY 1
  ) AS store USING (marketplace)
`;

/** The sums of PEOPLE by `link_id`, `marketplace` and `asin`. @param clicks a condition on them */
export function peopleOfLinks(userId: number, clicks: FragmentSqlToken): FragmentSqlToken {
  const counted = sql.fragment`
    WITH click AS MATERIALIZED (SELECT link_id, day, people FROM clicks WHERE ${clicks}), tapped AS MATERIALIZED (
      SELECT id AS link_id, marketplace, asin FROM links AS link WHERE ${isOneOf(userId, sql.fragment`SELECT DISTINCT link_id FROM click`)}
    )
    SELECT * FROM click JOIN tapped USING (link_id)
  `;
  return sql.fragment`SELECT link_id, marketplace, asin, ${PEOPLE} FROM ${ofStores(counted)} GROUP BY 1, 2, 3 HAVING sum(people) > 0`;
}

/**
 * People by `day`, `marketplace`, `channel_id`: whose tag present links have in the store, or else their own, and `routed_channel_id`:
 * their own, if they are routed.
 */
export const placePeople = (days: OwnDays): FragmentSqlToken => {
  const { userId } = days;
  return sql.fragment`
    WITH known AS MATERIALIZED (${channelTagsOf(userId)}), person AS MATERIALIZED (
      SELECT link_id, day, people FROM clicks WHERE ${isOwn(days)} AND people > 0
    ), place AS MATERIALIZED (
      SELECT link.id AS link_id, link.marketplace, coalesce(known.channel_id, ${channelOfLink(userId)}) AS channel_id,
        CASE WHEN ${isRouted(userId)} THEN ${channelOfLink(userId)} END AS routed_channel_id
      FROM links AS link LEFT JOIN known ON (known.marketplace, known.tag) = (link.marketplace, link.tag)
      WHERE link.marketplace IS NOT NULL AND ${isOneOf(userId, sql.fragment`SELECT link_id FROM person`)}
    )
    SELECT day, marketplace, channel_id, routed_channel_id, sum(people) AS people
    FROM person JOIN place USING (link_id) GROUP BY 1, 2, 3, 4
  `;
};

/**
 * The people who opened each store by `day`, `marketplace` and `channel_id`. Visitors who were sent to other stores are known by store, not by link: they are
 * divided among the routed links of the user in proportion to the people of these. People who opened a fallback or a code without tag
 * count nowhere: they are taken from all links in the same way.
 */
export function storePeople(days: OwnDays): FragmentSqlToken {
  const prefix = dimensionPrefix("store");
  const isStore = sql.fragment`store = ANY(${sql.array(Object.keys(MARKETPLACES), "text")})`;
  return sql.fragment`
    WITH place AS MATERIALIZED (${placePeople(days)}), moved AS MATERIALIZED (
      SELECT day, substr(key, ${prefix.length + 1}) AS store, sum(coalesce(nullif(split_part(quarter, ':', 2), ''), '1')::int) AS people
      FROM user_clicks CROSS JOIN jsonb_each_text(counts) AS each (key, series) CROSS JOIN string_to_table(series, ' ') AS quarter
      WHERE ${isOwn(days)} AND starts_with(key, ${prefix}) GROUP BY 1, 2
    ), origin AS (
      SELECT place.*, store, ${isStore} AS is_store, moved.people AS moved, sum(place.people) OVER (PARTITION BY day, store) AS all_people
      FROM place JOIN moved USING (day) WHERE routed_channel_id IS NOT NULL OR NOT ${isStore}
    )
    SELECT day, marketplace, channel_id, people FROM place
    UNION ALL
    SELECT day, side.* FROM (
      SELECT *, least(moved, all_people) * people / all_people AS share FROM origin
    ) AS origin CROSS JOIN LATERAL (
      VALUES (marketplace, channel_id, -share), (CASE WHEN is_store THEN store END, routed_channel_id, share)
    ) AS side (marketplace, channel_id, people) WHERE side.marketplace IS NOT NULL
  `;
}

/**
 * The people of all links that the user had on each day. Per tap count all but those known to be of stores that the reports of the day
 * lack. @param tapDays the days of which this is known
 */
export const peopleOfDays = (days: OwnDays, tapDays: OwnDays): FragmentSqlToken => sql.fragment`
  WITH other AS (
    SELECT day, sum(people) FILTER (WHERE (day <@ earnings) IS NOT TRUE) AS no_earnings,
      sum(people) FILTER (WHERE (day <@ ordered) IS NOT TRUE) AS no_orders
    FROM ${ofStores(storePeople(tapDays))} GROUP BY 1
  )
  SELECT day, people, CASE WHEN day <@ earnings THEN greatest(0, people - coalesce(no_earnings, 0)) ELSE 0 END AS earning,
    CASE WHEN day <@ ordered THEN greatest(0, people - coalesce(no_orders, 0)) ELSE 0 END AS ordering
  FROM user_clicks LEFT JOIN other USING (day)
    CROSS JOIN (SELECT range_agg(earnings) AS earnings, range_agg(ordered) AS ordered FROM covered) AS any_store
  WHERE ${isOwn(days)} AND people > 0
`;
