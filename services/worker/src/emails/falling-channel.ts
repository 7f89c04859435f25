import { createClickReader } from "@tapthru/core/clicks/click-reader";
import { type AmazonClicks, readAmazonClicks } from "@tapthru/core/earnings/amazon-clicks";
import type { Db } from "@tapthru/core/platform/postgres/postgres";
import { nameInEmail } from "@tapthru/proto/rules/names";
import { sql } from "slonik";
import * as z from "zod/mini";

const DAY_MS = 86_400_000;
/** Enough for three monthly reports, and the time until they are imported. */
const COMPARED_DAYS = 130;
/** A fall in a period that ended earlier is not reported. */
const REPORTED_DAYS = 45;
/** With fewer people the share says too little. */
const PEOPLE_MIN_COUNT = 100;
/** A share has fallen if it is below this part of the share in the two periods before. */
const FALLING_BELOW = 0.7;

/** @returns a sentence about the channel whose share of taps that Amazon counted fell most; null if none fell clearly */
export async function fallingChannelLine(db: Db<"any" | "oneFirst">, userId: number): Promise<string | null> {
  const range = { userId, from: daysAgo(COMPARED_DAYS), to: daysAgo(0) };
  const found = await readAmazonClicks({ db, clickReader: createClickReader(db) }, range);
  const places = Map.groupBy(found, ({ channelId, marketplace }) => `${channelId} ${marketplace}`);
  const [fall] = [...places.values()]
    .flatMap((periods) => findFall(periods) ?? [])
    .filter(({ lastDay }) => lastDay >= daysAgo(REPORTED_DAYS))
    .sort((a, b) => a.share / a.usualShare - b.share / b.usualShare);
  if (fall === undefined) return null;
  const name = await db.oneFirst(sql.type(z.object({ name: z.string() }))`
    SELECT name FROM channels WHERE id = ${fall.channelId}
  `);
  const { marketplace, firstDay, lastDay, share, usualShare } = fall;
  return `Fewer taps of ${nameInEmail(name)} arrive at amazon.${marketplace}: from ${firstDay} to ${lastDay} Amazon counted ${inPercent(share)} of them, and ${inPercent(usualShare)} before. Your tags may get lost on the way.`;
}

interface Fall extends AmazonClicks {
  share: number;
  usualShare: number;
}

/**
 * Compares the last period with the two before. Amazon counts otherwise than we do, so only a change says something. Periods in which
 * Amazon counted more clicks than there were people are left out: links were deleted since, with their people.
 * @param periods of a channel in a store, the newest first
 */
export function findFall([last, ...earlier]: readonly AmazonClicks[]): Fall | null {
  const before = earlier.filter(({ clicks, people }) => people >= PEOPLE_MIN_COUNT && clicks <= people).slice(0, 2);
  if (last === undefined || last.people < PEOPLE_MIN_COUNT || before.length < 2) return null;
  const [share, usualShare] = [shareOf([last]), shareOf(before)];
  return share < FALLING_BELOW * usualShare ? { ...last, share, usualShare } : null;
}

const shareOf = (periods: readonly AmazonClicks[]) => sumOf(periods, "clicks") / sumOf(periods, "people");

const sumOf = (periods: readonly AmazonClicks[], field: "clicks" | "people") =>
  periods.reduce((sum, period) => sum + period[field], 0);

const inPercent = (share: number) => `${Math.round(100 * share)} %`;

const daysAgo = (days: number) => new Date(Date.now() - days * DAY_MS).toISOString().slice(0, 10);
