import { type CommonQueryMethods, sql } from "slonik";
import * as z from "zod/mini";
import { clickRange } from "../clicks/click-range.ts";
import {
  addUpPeople,
  type PlacePeople,
  readStorePeople,
  type StorePeople,
  type StorePeopleReader,
} from "./store-people.ts";
import { allTagsOf, channelOfLink, channelTagsOf, findTagChannels, isOneOf, tagKey } from "./tag-channels.ts";

/** The newest reports of a user that are read, and tags of each, those with the most clicks. */
const REPORTS_MAX_COUNT = 100;
const TAGS_MAX_COUNT = 500;
const PERIODS_MAX_COUNT = 31;

/** Amazon's clicks for the tags of a channel, and the people who opened the store by its links, in the period of a tracking report. */
export interface AmazonClicks {
  channelId: number;
  marketplace: string;
  firstDay: string;
  lastDay: string;
  clicks: number;
  people: number;
}

/**
 * Compares the tracking reports in a range of days with the people of present links, for each channel that a report of the same
 * account has ever had. A channel is left out if a link got one of its tags, or lost one, since the report begins: all people of
 * the link count for its present tag, Amazon's clicks for the tag of the time.
 * @param places the people of the range
 * @returns the newest period first
 */
export async function readAmazonClicks(
  { db, clickReader }: { db: Pick<CommonQueryMethods, "any">; clickReader: StorePeopleReader },
  { userId, from, to }: { userId: number; from: string; to: string },
  places: readonly PlacePeople[],
): Promise<AmazonClicks[]> {
  const accounts = Map.groupBy(
    await readReports(db, userId),
    ({ marketplace, storeId }) => `${marketplace} ${storeId}`,
  );
  const reports = [...accounts.values()].flatMap((ofAccount) => {
    const channels = new Set(ofAccount.flatMap(({ clicks }) => [...clicks.keys()]));
    const inRange = ofAccount.filter(({ firstDay, lastDay }) => from <= firstDay && lastDay <= to);
    return withoutCommonDays(inRange).map((report) => ({ ...report, channels }));
  });
  if (reports.length === 0) return [];
  const tagChanges = await findTagChanges(db, userId, from);
  const changedOn = new Map(tagChanges.map(({ channelId, day }) => [channelId, day]));
  const newest = reports.toSorted((a, b) => (a.lastDay > b.lastDay ? -1 : 1));
  const periods = [...Map.groupBy(newest, ({ firstDay, lastDay }) => `${firstDay} ${lastDay}`).values()];
  const found = new Map<string, AmazonClicks>();
  for (const ofPeriod of periods.slice(0, PERIODS_MAX_COUNT)) {
    const [{ firstDay = "", lastDay = "" } = {}] = ofPeriod;
    const range = clickRange({ from: firstDay, to: lastDay, tz: "UTC", interval: "day" }, Date.now());
    if (range === null) continue;
    const people = addUpPeople(await readStorePeople(clickReader, places, { userId, range }), placeKey);
    for (const { marketplace, channels, clicks } of ofPeriod) {
      for (const channelId of channels) {
        if ((changedOn.get(channelId) ?? "") >= firstDay) continue;
        const place = placeKey({ channelId, marketplace });
        const key = `${firstDay} ${lastDay} ${place}`;
        // A channel may have tags of several accounts.
        const ofOthers = found.get(key)?.clicks ?? 0;
        found.set(key, {
          channelId,
          marketplace,
          firstDay,
          lastDay,
          clicks: ofOthers + (clicks.get(channelId) ?? 0),
          people: people.get(place) ?? 0,
        });
      }
    }
  }
  return [...found.values()];
}

const placeKey = ({ channelId, marketplace }: Omit<StorePeople, "people">) => `${channelId} ${marketplace}`;

/** Keeps the one that ends last of reports with common days. @param reports of an account, the one that ends last first */
function withoutCommonDays<Report extends { firstDay: string; lastDay: string }>(reports: readonly Report[]): Report[] {
  let before = "9999-12-31";
  return reports.filter(({ firstDay, lastDay }) => {
    if (lastDay >= before) return false;
    before = firstDay;
    return true;
  });
}

const TrackingReport = z.object({
  marketplace: z.string(),
  storeId: z.string(),
  firstDay: z.string(),
  lastDay: z.string(),
  tags: z.array(z.object({ tag: z.string(), clicks: z.int() })),
});

/** The stored tracking reports, each with its clicks by channel. One that was made before its last day ended is not complete. */
async function readReports(db: Pick<CommonQueryMethods, "any">, userId: number) {
  const reports = await db.any(sql.type(TrackingReport)`
    SELECT report.marketplace, report.store_id AS "storeId", first_day::text AS "firstDay", last_day::text AS "lastDay",
      coalesce((
        SELECT jsonb_agg(jsonb_build_object('tag', tag, 'clicks', clicks)) FROM (
          SELECT lower(tag) AS tag, coalesce(sum(clicks), 0) AS clicks FROM earnings_rows WHERE report_id = report.id
          GROUP BY 1 ORDER BY 2 DESC LIMIT ${TAGS_MAX_COUNT}
        ) AS tracked
      ), '[]') AS tags
    FROM earnings_reports AS report JOIN earnings_imports AS import ON import.id = import_id
    WHERE report.user_id = ${userId} AND kind = 'tracking' AND import.state = 'stored'
      AND last_day < (import.stored_at AT TIME ZONE 'UTC')::date
    ORDER BY last_day DESC, import.stored_at DESC LIMIT ${REPORTS_MAX_COUNT}
  `);
  const tagsOf = ({ marketplace, tags }: (typeof reports)[number]) => tags.map((each) => ({ marketplace, ...each }));
  const channelOfTag = await findTagChannels(db, userId, reports.flatMap(tagsOf));
  return reports.map((report) => {
    const clicks = new Map<number, number>();
    for (const tag of tagsOf(report)) {
      const channelId = channelOfTag.get(tagKey(tag));
      if (channelId != null) clicks.set(channelId, (clicks.get(channelId) ?? 0) + tag.clicks);
    }
    return { ...report, clicks };
  });
}

const CHANGES_MAX_COUNT = 100_000;

const TagChange = z.object({ channelId: z.int(), day: z.string() });

/** The channels with a tag that a link, or another channel, got or lost since a day, and the last day on which one did. */
function findTagChanges(db: Pick<CommonQueryMethods, "any">, userId: number, since: string) {
  const own = channelOfLink(userId);
  return db.any(sql.type(TagChange)`
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
    SELECT channel_id AS "channelId", max((replaced_at AT TIME ZONE 'UTC')::date)::text AS day
    FROM change CROSS JOIN LATERAL (VALUES (past), (present)) AS side (channel_id)
    WHERE is_other OR past <> present GROUP BY 1
  `);
}
