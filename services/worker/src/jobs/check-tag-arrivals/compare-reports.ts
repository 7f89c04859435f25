import { clickRange } from "@tapthru/core/clicks/click-range";
import {
  addUpPeople,
  readStorePeople,
  type StorePeople,
} from "@tapthru/core/earnings/store-people";
import { findTagChannels, tagKey } from "@tapthru/core/earnings/tag-channels";
import type { App } from "../../app.ts";
import * as queries from "./queries.ts";

export interface CompareApp extends Pick<App, "db"> {
  clickReader: Pick<App["clickReader"], "count" | "people">;
}

/**
 * Keeps Amazon's clicks and our people of each channel with a tag in the reports, once: links that are deleted or get another
 * channel later do not change them.
 */
export async function compareReports(
  { db, clickReader }: CompareApp,
  userId: number,
  reports: readonly queries.TrackingReport[],
): Promise<void> {
  const clicks = await queries.findClicksByTag(
    db,
    reports.map(({ id }) => id),
  );
  const channelOfTag = await findTagChannels(db, userId, clicks);
  const clicksOf = Map.groupBy(clicks, ({ reportId }) => reportId);
  // Which channels a report may have is known from the earlier ones.
  const sorted = reports.toSorted((a, b) => (a.lastDay < b.lastDay ? -1 : 1));
  const periods = Map.groupBy(sorted, ({ firstDay, lastDay }) => `${firstDay} ${lastDay}`);
  for (const ofPeriod of periods.values()) {
    const { firstDay: from, lastDay: to } = ofPeriod[0] ?? {};
    const range = clickRange({ from, to, tz: "UTC", interval: "day" }, Date.now());
    if (range === null) continue;
    const found = await readStorePeople({ db, clickStore: clickReader }, { userId, range });
    const people = addUpPeople(found, placeKey);
    for (const { id, marketplace } of ofPeriod) {
      const ofStore = found.filter((place) => place.marketplace === marketplace);
      const amazonClicks = new Map(
        ofStore.map(({ channelId }): [number, number] => [channelId, 0]),
      );
      for (const { tag, clicks: count } of clicksOf.get(id) ?? []) {
        const channelId = channelOfTag.get(tagKey({ marketplace, tag })) ?? null;
        if (channelId === null) continue;
        amazonClicks.set(channelId, (amazonClicks.get(channelId) ?? 0) + count);
      }
      const arrivals = [...amazonClicks].map(([channelId, count]) => ({
        channelId,
        amazonClicks: count,
        people: people.get(placeKey({ channelId, marketplace })) ?? 0,
      }));
      await queries.insertArrivals(db, id, arrivals);
    }
  }
}

const placeKey = ({ channelId, marketplace }: Omit<StorePeople, "people">) =>
  `${channelId} ${marketplace}`;
