import { beforeEach, describe, expect, it, vi } from "vitest";
import { addLinks, addPages, bulkUpdate, bulkUpdateDeps, useDatabase } from "../../testing/test-database.ts";
import { CAPTCHA, NOTHING_KNOWN, testSource } from "../../testing/test-source.ts";
import { scrapeMetadata } from "./scrape-metadata.ts";
import type { Metadata, MetadataSource, Postponed, ReadResult } from "./source.ts";

const MINUTE_MS = 60_000;
const DAY_MS = 86_400_000;
const LAMP: Metadata = {
  title: "A lamp",
  description: "It shines.",
  imageUrl: "https://m.media-amazon.com/images/I/71.jpg",
  siteName: "Amazon.com",
};
const read = (metadata: Metadata): ReadResult => ({ kind: "read", metadata });

const database = await useDatabase();

beforeEach(async () => {
  await addPages(database, "page");
});

function source(...results: (ReadResult | Postponed)[]) {
  const read = vi.fn<MetadataSource["read"]>(async () => results.shift() ?? CAPTCHA);
  return { ...testSource(), read };
}

interface Run {
  attempt?: number;
  signal?: AbortSignal;
}

const scrape = (
  metadataSource: MetadataSource | null,
  { attempt = 0, signal = new AbortController().signal }: Run = {},
) => scrapeMetadata({ ...bulkUpdateDeps(database), metadataSource }, { canonicalUrl: "page1", attempt }, { signal });

async function page() {
  const [row] = await database.rows(
    `SELECT title, description, image_url AS "imageUrl", site_name AS "siteName", attempts,
       (SELECT count(*)::int FROM bulk_updates WHERE payload = '{"canonicalUrl": "page1"}') AS changes,
       last_outcome AS outcome, fetched_at IS NOT NULL AS fetched,
       extract(epoch FROM keep_until - now())::float8 * 1000 AS "keptForMs",
       extract(epoch FROM next_attempt_at - now())::float8 * 1000 AS "dueInMs"
     FROM products`,
  );
  return row;
}

const makeDue = () =>
  database.rows("UPDATE products SET next_attempt_at = now(); UPDATE bulk_updates SET after_id = 1");

describe("a page that was read", () => {
  it("is stored", async () => {
    await scrape(source(read(LAMP)));
    expect(await page()).toMatchObject({ ...LAMP, attempts: 0, changes: 1, outcome: "read", fetched: true });
  });

  it("keeps fields that are missing the next time", async () => {
    await scrape(source(read(LAMP)));
    await makeDue();
    await scrape(source(read({ ...NOTHING_KNOWN, title: "A red lamp" })));
    expect(await page()).toMatchObject({ ...LAMP, title: "A red lamp", changes: 2 });
  });

  it("stores a page without a limit, or as long as its source allows", async () => {
    await scrape(source(read(LAMP)));
    expect(await page()).toMatchObject({ keptForMs: null });
    await makeDue();
    await scrape({ ...source(read(LAMP)), keepForMs: DAY_MS });
    const { keptForMs } = (await page()) ?? {};
    expect(keptForMs).toBeGreaterThan(DAY_MS - 60_000);
    expect(keptForMs).toBeLessThanOrEqual(DAY_MS);
  });

  it.each([
    ["licensed", null, DAY_MS],
    ["licensed before", DAY_MS, null],
  ])("replaces missing fields if the metadata is %s", async (_, first, second) => {
    await scrape({ ...source(read(LAMP)), keepForMs: first });
    await makeDue();
    await scrape({ ...source(read({ ...NOTHING_KNOWN, title: "A red lamp" })), keepForMs: second });
    expect(await page()).toMatchObject({ ...NOTHING_KNOWN, title: "A red lamp", changes: 2 });
  });

  it("changes the links to it, and none to another page with its product id, such as of another search", async () => {
    await addPages(database, "other");
    for (const name of ["page", "other"]) await addLinks(database, { name, page: `${name}1`, withChange: false });
    await scrape(source(read(LAMP)));
    while (await bulkUpdate(database, "product-state"));
    expect(await database.rows("SELECT short_code FROM link_changes")).toEqual([{ short_code: "page1" }]);
  });

  it("changes no links if the metadata is the same", async () => {
    await scrape(source(read(LAMP)));
    await makeDue();
    await scrape(source(read(LAMP)));
    expect(await page()).toMatchObject({ changes: 1, fetched: true });
  });
});

describe("a page that was not read", () => {
  it("keeps the stored metadata, and is retried later", async () => {
    await scrape(source(read(LAMP)));
    await makeDue();
    await scrape(source(CAPTCHA));
    expect(await page()).toMatchObject({ ...LAMP, attempts: 1, changes: 1, outcome: "captcha" });
    expect((await page())?.dueInMs).toBeGreaterThan(30_000);
  });

  it("postpones a page for a month if a retry is useless", async () => {
    await scrape(source({ kind: "nothing", outcome: "unsupported", lasting: true }));
    expect(await page()).toMatchObject({ attempts: 1, outcome: "unsupported" });
    expect((await page())?.dueInMs).toBeGreaterThan(20 * DAY_MS);
  });
});

describe("no source is requested", () => {
  it.each<[string, () => Promise<unknown>, Run]>([
    ["for an attempt that was already made", async () => {}, { attempt: 1 }],
    ["before the attempt is due", () => scrape(source(read(LAMP))), {}],
    ["for a page that no longer exists", () => database.rows("DELETE FROM products"), {}],
  ])("%s", async (_, arrange, run) => {
    await arrange();
    const unused = source(read(LAMP));
    await scrape(unused, run);
    expect(unused.read).not.toHaveBeenCalled();
  });

  it("the page waits, and no attempt counts, if no source is configured", async () => {
    await scrape(null);
    expect(await page()).toMatchObject({ attempts: 0, outcome: null });
    expect((await page())?.dueInMs).toBeGreaterThan(59 * MINUTE_MS);
  });

  it("the page waits, and no attempt counts, during the backoff of the host", async () => {
    await scrape(source({ kind: "postponed", retryInMs: 10 * MINUTE_MS }));
    expect(await page()).toMatchObject({ attempts: 0, outcome: null });
    expect((await page())?.dueInMs).toBeGreaterThan(9 * MINUTE_MS);
  });
});

it.each<[string, ReadResult, ReadResult, object]>([
  ["read", read(LAMP), read({ ...LAMP, title: "Late" }), { ...LAMP, attempts: 0, changes: 1 }],
  ["read", read(LAMP), CAPTCHA, { ...LAMP, attempts: 0, changes: 1 }],
  ["failed", CAPTCHA, CAPTCHA, { attempts: 1, changes: 0 }],
  ["failed", CAPTCHA, read(LAMP), { title: null, attempts: 1, changes: 1 }],
])("the first result of two jobs with the same attempt counts: it %s", async (_, first, second, expected) => {
  const resume = Promise.withResolvers<void>();
  const started = Promise.withResolvers<void>();
  const late = scrape(
    testSource(async () => {
      started.resolve();
      await resume.promise;
      return second;
    }),
  );
  await started.promise;
  await scrape(source(first));
  resume.resolve();
  await late;
  expect(await page()).toMatchObject(expected);
});

it("changes nothing when it is aborted", async () => {
  const stopping = new AbortController();
  const aborting = testSource(async (_, signal) => {
    stopping.abort(new Error("stopping"));
    signal.throwIfAborted();
    return CAPTCHA;
  });
  const reading = scrape(aborting, { signal: stopping.signal });
  await expect(reading).rejects.toThrow("stopping");
  expect(await page()).toMatchObject({ attempts: 0, outcome: null });
});
