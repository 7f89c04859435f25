import { ORIGINAL_STORE } from "@tapthru/proto/clicks/keys";
import { isMarketplace } from "@tapthru/proto/rules/amazon/marketplaces";
import { type CommonQueryMethods, sql } from "slonik";
import * as z from "zod/mini";
import type { ClickRange } from "../clicks/click-range.ts";
import type { ClickReader } from "../clicks/click-reader.ts";
import { clicksOfUser } from "../clicks/queries.ts";
import { channelOfLink, channelTagsOf, isOneOf, isRouted } from "./tag-channels.ts";

/** People who opened a store by links with a channel's tag; a share of visitors may not be a whole number. */
export interface StorePeople {
  channelId: number;
  marketplace: string;
  people: number;
}

export type StorePeopleReader = Pick<ClickReader, "count">;

/**
 * The people who opened each store on the days of a range. Visitors who were sent to other stores are known by store, not by link: they are divided
 * among the routed links of the user in proportion to the people of these. People who opened a fallback or a code without tag count
 * nowhere: they are taken from all links in the same way.
 * @param ofDays the people of a longer range
 */
export async function readStorePeople(
  clickReader: StorePeopleReader,
  ofDays: readonly PlacePeople[],
  { userId, range }: { userId: number; range: ClickRange },
): Promise<StorePeople[]> {
  const places = peopleIn(ofDays, range);
  const found: StorePeople[] = [...places];
  const routed = places.filter(({ routedChannelId }) => routedChannelId !== null);
  const { breakdown } = await clickReader.count({ userId, linkIds: null }, range, "store");
  for (const { key, person } of breakdown) {
    if (key === ORIGINAL_STORE) continue;
    const isStore = isMarketplace(key);
    const origins = isStore ? routed : places;
    const all = origins.reduce((sum, { people }) => sum + people, 0);
    for (const { routedChannelId, channelId, marketplace, people } of origins) {
      const share = (Math.min(person, all) * people) / all;
      // Their own channel's tags are those of the other stores.
      if (isStore) found.push({ channelId: routedChannelId ?? channelId, marketplace: key, people: share });
      found.push({ channelId, marketplace, people: -share });
    }
  }
  return found;
}

const PlacePeople = z.object({
  day: z.string(),
  marketplace: z.string(),
  /** Whose tag the links have in the store, or else their own. */
  channelId: z.int(),
  /** Their own, if they are routed. */
  routedChannelId: z.nullable(z.int()),
  people: z.int(),
});

export type PlacePeople = z.infer<typeof PlacePeople>;

function peopleIn(places: readonly PlacePeople[], { from, to }: ClickRange): readonly PlacePeople[] {
  return places.filter(({ day }) => from <= Date.parse(day) && Date.parse(day) < to);
}

export function findPlacePeople(
  db: Pick<CommonQueryMethods, "any">,
  { userId, range }: { userId: number; range: ClickRange },
): Promise<readonly PlacePeople[]> {
  return db.any(sql.type(PlacePeople)`
    WITH known AS MATERIALIZED (${channelTagsOf(userId)}), person AS MATERIALIZED (
      SELECT link_id, day, people FROM ${clicksOfUser({ userId, ...range })} AND people > 0
    ), place AS MATERIALIZED (
      SELECT link.id AS link_id, link.marketplace, coalesce(known.channel_id, ${channelOfLink(userId)}) AS channel,
        CASE WHEN ${isRouted(userId)} THEN ${channelOfLink(userId)} END AS routed
      FROM links AS link LEFT JOIN known ON (known.marketplace, known.tag) = (link.marketplace, link.tag)
      WHERE link.marketplace IS NOT NULL AND ${isOneOf(userId, sql.fragment`SELECT link_id FROM person`)}
    )
    SELECT day::text AS day, marketplace, channel AS "channelId", routed AS "routedChannelId", sum(people) AS people
    FROM person JOIN place USING (link_id) GROUP BY 1, 2, 3, 4
  `);
}

export function addUpPeople(found: readonly StorePeople[], keyOf: (each: StorePeople) => string): Map<string, number> {
  const sums = new Map<string, number>();
  for (const each of found) {
    const key = keyOf(each);
    sums.set(key, (sums.get(key) ?? 0) + each.people);
  }
  return new Map([...sums].map(([key, people]) => [key, Math.max(0, Math.round(people))]));
}
