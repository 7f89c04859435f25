import { beforeEach, describe, expect, it } from "vitest";
import { useDatabase } from "../testing/test-database.ts";
import { addTrackedChannel, addTrackedDay, dayAgo } from "../testing/test-tracking.ts";
import { addUser } from "../testing/test-webhooks.ts";
import { fallingChannelLine, findFall } from "./falling-channel.ts";

const database = await useDatabase();
const { db } = database;
let anna: number;

beforeEach(async () => {
  anna = await addUser(database, "anna", true);
});

const addChannel = (name: string, tag: string) => addTrackedChannel(database, anna, name, tag);
const addDay = (ago: number, clicks: Record<string, number>) => addTrackedDay(database, anna, ago, clicks);

describe("fallingChannelLine", () => {
  it("names the channel of which Amazon counted far fewer clicks in the last report than before", async () => {
    await addChannel("Instagram", "insta-21");
    await addChannel("Shop: https://evil.example/x", "shop-21");
    for (const ago of [60, 50]) await addDay(ago, { "insta-21": 800, "shop-21": 900 });
    await addDay(40, { "insta-21": 700, "shop-21": 800 });
    expect(await fallingChannelLine(db, anna)).toBeNull();
    await addDay(30, { "insta-21": 500, "shop-21": 300 });
    expect(await fallingChannelLine(db, anna)).toBe(
      `Fewer taps of Shop  https evil example x arrive at amazon.de: from ${dayAgo(30)} to ${dayAgo(30)} Amazon counted 30 % of them, and 85 % before. Your tags may get lost on the way.`,
    );
    await addDay(20, { "insta-21": 800, "shop-21": 800 });
    expect(await fallingChannelLine(db, anna)).toBeNull();
  });

  it("does not name a fall of more than 45 days ago", async () => {
    await addChannel("Instagram", "insta-21");
    for (const ago of [70, 60]) await addDay(ago, { "insta-21": 800 });
    await addDay(46, { "insta-21": 100 });
    expect(await fallingChannelLine(db, anna)).toBeNull();
  });
});

describe("findFall", () => {
  const fall = (...counts: [clicks: number, people: number][]) =>
    findFall(
      counts.map(([clicks, people]) => {
        return { channelId: 1, marketplace: "de", firstDay: "2026-10-01", lastDay: "2026-10-31", clicks, people };
      }),
    );

  it("finds a share of less than 70 % of that in the two periods before", () => {
    expect(fall([559, 1_000], [700, 1_000], [900, 1_000])).toMatchObject({ share: 0.559, usualShare: 0.8 });
    expect(fall([560, 1_000], [700, 1_000], [900, 1_000], [100, 1_000])).toBeNull();
    expect(fall([100, 1_000], [800, 1_000])).toBeNull();
    expect(fall()).toBeNull();
  });

  it("ignores periods with few people, and those with more clicks than people, whose links were deleted", () => {
    expect(fall([0, 99], [800, 1_000], [800, 1_000])).toBeNull();
    expect(fall([500, 1_000], [99, 99], [1_001, 1_000], [800, 1_000])).toBeNull();
    expect(fall([500, 1_000], [99, 99], [1_001, 1_000], [800, 1_000], [800, 1_000])).not.toBeNull();
  });
});
