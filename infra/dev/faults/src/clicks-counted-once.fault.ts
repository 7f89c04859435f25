import { CLICK_STREAMS } from "@tapthru/proto/clicks/batch";
import { classKey } from "@tapthru/proto/clicks/keys";
import { type PackedCounts, readSeries } from "@tapthru/proto/clicks/packed-counts";
import { expect, it } from "vitest";
import { insertLinksInRedis, query, type TestLink } from "./links.ts";
import { type ProcessName, startTestbed } from "./testbed.ts";
import { repeatDuring, visit, warm } from "./visits.ts";

const testbed = await startTestbed();
const { databaseUrl, redirects, queue, metric } = testbed;
const [first = ""] = redirects;

async function countClicks({ shortCode }: TestLink): Promise<number> {
  const rows = await query<{ counts: PackedCounts }>(
    databaseUrl,
    "SELECT counts FROM clicks JOIN links ON links.id = link_id WHERE short_code = $1",
    [shortCode],
  );
  let sum = 0;
  for (const { counts } of rows)
    readSeries(counts[classKey("person")] ?? "", (_slot, count) => {
      sum += count;
    });
  return sum;
}

/** Visits a link again and again while `work` runs. @returns how often it was served, or may have been */
async function visitDuring(origin: string, link: TestLink, work: () => Promise<void>) {
  const visits = { served: 0, uncertain: 0 };
  const visitor = async () => {
    const result = await visit(origin, link);
    if (result === "302") visits.served++;
    else if (!/^\d/.test(result)) visits.uncertain++;
  };
  await repeatDuring(() => Promise.all([1, 2, 3, 4].map(visitor)), work);
  return visits;
}

/** Batches in all streams. */
async function waiting(): Promise<number> {
  const lengths = await Promise.all(CLICK_STREAMS.map(({ batches }) => queue.xlen(batches)));
  return lengths.reduce((sum, length) => sum + length, 0);
}

const untilSent = () =>
  expect
    .poll(async () => [await metric("redirect-1", "tapthru_click_unsent_seconds"), await waiting()])
    .toEqual([0, 0]);

it.each<ProcessName>(["worker-1", "cache Redis", "queue Redis", "Postgres"])(
  "each visit is counted exactly once although %s is killed",
  async (name) => {
    const [link] = (await insertLinksInRedis(databaseUrl, 1)) as [TestLink];
    await expect.poll(() => visit(first, link)).toBe("302");
    const visits = await visitDuring(first, link, async () => {
      for (let kills = 0; kills < 3; kills++) {
        // Stored clicks are sent again after the queue Redis was killed.
        const stored = await countClicks(link);
        await expect.poll(() => countClicks(link)).toBeGreaterThan(stored);
        await testbed.whileKilled([name], async () => {});
      }
    });
    expect(visits.uncertain).toBe(0);
    await expect.poll(() => countClicks(link)).toBe(visits.served + 1);
    await untilSent();
    expect(await countClicks(link)).toBe(visits.served + 1);
  },
);

it("a killed redirect loses no click that it has sent, and no click counts twice", async () => {
  const [sent, unsent] = (await insertLinksInRedis(databaseUrl, 2)) as [TestLink, TestLink];
  await testbed.end("worker-1");
  await warm([first], [sent]);
  await expect.poll(waiting).toBeGreaterThan(0);
  const visits = await visitDuring(first, unsent, () => testbed.whileKilled(["redirect-1"], async () => {}));
  await testbed.start("worker-1");
  await untilSent();
  expect(await countClicks(sent)).toBe(1);
  expect(await countClicks(unsent)).toBeLessThanOrEqual(visits.served + visits.uncertain);
});

it("a redirect that is asked to stop sends its clicks first", async () => {
  const [link] = (await insertLinksInRedis(databaseUrl, 1)) as [TestLink];
  await warm([first], [link]);
  const visits = await visitDuring(first, link, async () => {
    await testbed.end("redirect-1");
    await testbed.start("redirect-1");
  });
  const possible = visits.served + visits.uncertain + 1;
  await expect.poll(() => countClicks(link)).toBeGreaterThanOrEqual(visits.served + 1);
  await untilSent();
  expect(await countClicks(link)).toBeLessThanOrEqual(possible);
});
