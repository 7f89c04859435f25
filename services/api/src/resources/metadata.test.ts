import { openQueue } from "@tapthru/core/platform/jobs/queue";
import { createTestLogger } from "@tapthru/core/platform/testing/test-logger";
import { unavailable } from "@tapthru/proto/general-errors";
import { beforeEach, describe, expect, it } from "vitest";
import { ApiError } from "../http/errors.ts";
import type { ReleaseSlotDuring } from "../http/shed-load.ts";
import { createWaitLimiter } from "../links/queue-read.ts";
import { eventually } from "../testing/eventually.ts";
import { startApi, startOwnRedis } from "../testing/world.ts";
import { findMetadata } from "./metadata.ts";

const PAGE = "https://www.amazon.de/dp/B0ZZ1Y2X3W";
const NOTHING = { title: null, description: null, imageUrl: null, siteName: null };

const redis = await startOwnRedis();
const api = await startApi({ REDIS_QUEUE_URL: redis.url, REDIS_CACHE_URL: redis.url });
const queue = openQueue("scrape-metadata", api.redis, createTestLogger().logger);
beforeEach(async () => {
  await api.empty();
  await api.redis.flushall();
});

const getMetadata = (query: string) => fetch(`${api.url}/api/metadata?${query}`);
const queued = async () => (await queue.getJobs()).map(({ data }) => data.payload);

const insertPage = (columns = "", values = "") =>
  api.query(`INSERT INTO products (canonical_url, marketplace, product_id${columns})
    VALUES ('${PAGE}', 'de', 'B0ZZ1Y2X3W'${values})`);

function acquireTimes(limiter: ReturnType<typeof createWaitLimiter>, visitor: string, times: number) {
  return Array.from({ length: times }, () => limiter.acquire(visitor));
}

describe("GET /api/metadata", () => {
  it("returns stored metadata at once, without queueing a read", async () => {
    await insertPage(
      ", title, image_url, fetched_at",
      ", 'A lamp', 'https://m.media-amazon.com/images/I/71abc.jpg', now()",
    );
    const response = await getMetadata("product_id=B0ZZ1Y2X3W&marketplace=de");
    expect(response.status).toBe(200);
    expect(await response.json()).toEqual({
      ...NOTHING,
      title: "A lamp",
      imageUrl: "https://m.media-amazon.com/images/I/71abc.jpg",
    });
    expect(await queued()).toEqual([]);
  });

  it("finds a product only in its marketplace, which defaults to com", async () => {
    await insertPage(", title, fetched_at", ", 'A lamp', now()");
    expect(await (await getMetadata("product_id=B0ZZ1Y2X3W")).json()).toEqual(NOTHING);
    await api.query("UPDATE products SET marketplace = 'com'");
    expect(await (await getMetadata("product_id=B0ZZ1Y2X3W")).json()).toMatchObject({ title: "A lamp" });
  });

  it("queues a read for a product that was never read, and returns the result", async () => {
    await insertPage();
    const pending = getMetadata("product_id=B0ZZ1Y2X3W&marketplace=de");
    await eventually(async () => expect(await queued()).toHaveLength(1));
    await api.query("UPDATE products SET title = 'A lamp', fetched_at = now()");
    expect(await (await pending).json()).toEqual({ ...NOTHING, title: "A lamp" });
  });

  it("queues one read for concurrent requests", async () => {
    await insertPage();
    const pending = Array.from({ length: 20 }, () => getMetadata("product_id=B0ZZ1Y2X3W&marketplace=de"));
    await eventually(async () => expect(await queued()).toHaveLength(1));
    await api.query("UPDATE products SET attempts = 1, next_attempt_at = now() + interval '1 hour'");
    for (const response of await Promise.all(pending)) expect(await response.json()).toEqual(NOTHING);
    expect(await queued()).toHaveLength(1);
  });
});

describe("POST /api/generate", () => {
  it("queues one read for many new links to the same product", async () => {
    await api.post("/api/generate", { url: `${PAGE}?tag=one-21` });
    await api.post("/api/generate", { url: `${PAGE}?tag=two-21` });
    await eventually(async () => expect(await queued()).toEqual([{ canonicalUrl: PAGE, attempt: 0 }]));
  });

  it("queues no read for a known product or a page without metadata", async () => {
    await insertPage(", title, fetched_at, next_attempt_at", ", 'A', now(), now() + interval '1 d'");
    await api.post("/api/generate", { url: `${PAGE}?tag=one-21` });
    await api.post("/api/generate", { url: "https://www.amazon.de/s?k=lamp" });
    await api.post("/api/generate", { url: "https://www.amazon.de/dp/B0ANOTHER0" });
    const canonicalUrl = "https://www.amazon.de/dp/B0ANOTHER0";
    await eventually(async () => expect(await queued()).toEqual([{ canonicalUrl, attempt: 0 }]));
  });
});

it("returns what is known if the api is overloaded after the wait", async () => {
  await insertPage();
  const overloaded = new ApiError(unavailable);
  const releaseSlotDuring: ReleaseSlotDuring = async (wait, options) => {
    const result = await wait();
    if (options?.mayReject !== false) throw overloaded;
    return result;
  };
  const visitor = { address: "203.0.113.7", requestId: "x", releaseSlotDuring };
  const product = { productId: "B0ZZ1Y2X3W", marketplace: "de" } as const;
  expect(await findMetadata(api.context, product, visitor)).toMatchObject({ title: null });
});

describe("the wait limiter", () => {
  it("allows five waits per visitor", () => {
    const limiter = createWaitLimiter();
    const slots = acquireTimes(limiter, "a", 6);
    expect(slots.map((slot) => slot !== null)).toEqual([true, true, true, true, true, false]);
    expect(limiter.acquire("b")).not.toBeNull();
  });

  it("allows fifty waits in total", () => {
    const limiter = createWaitLimiter();
    for (let i = 0; i < 10; i++) acquireTimes(limiter, String(i), 5);
    expect(limiter.acquire("another")).toBeNull();
  });

  it("allows another wait after one was released", () => {
    const limiter = createWaitLimiter();
    const [first] = acquireTimes(limiter, "a", 5);
    expect(limiter.acquire("a")).toBeNull();
    first?.release();
    expect(limiter.acquire("a")).not.toBeNull();
  });
});
