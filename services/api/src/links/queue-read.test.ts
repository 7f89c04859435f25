import { openQueue } from "@tapthru/core/platform/jobs/queue";
import { Redis } from "ioredis";
import { afterAll, beforeEach, describe, expect, it } from "vitest";
import { eventually } from "../testing/eventually.ts";
import { createLink } from "../testing/test-links.ts";
import { startOwnRedis, startWorld } from "../testing/world.ts";

const server = await startOwnRedis();
const redis = new Redis(server.url, { maxRetriesPerRequest: null });
afterAll(() => redis.disconnect());
const { api, ada } = await startWorld({ REDIS_QUEUE_URL: server.url });
beforeEach(async () => {
  await redis.flushall();
  await api.query("TRUNCATE all_links, link_changes, products, recent_creates CASCADE");
});

const pageOf = (name: string) => `https://www.amazon.de/dp/B00000${name}`;

async function queued(): Promise<string[]> {
  const jobs = await openQueue("scrape-metadata", redis, api.context.logger).getPrioritized();
  return jobs.map(({ data }) => String(Object(data.payload).canonicalUrl).slice(-4));
}

async function create(name: string, headers: Record<string, string>): Promise<void> {
  const response = await api.post("/api/generate", { url: pageOf(name) }, headers);
  expect(response.status).toBe(201);
  await eventually(async () => expect(await queued()).toContain(name));
}

async function check(name: string): Promise<void> {
  const shortCode = await createLink(api, ada.browser, pageOf(name));
  const response = await api.request("POST", `/api/links/${shortCode}/check`, ada.browser);
  expect(response.status).toBe(202);
  expect(await queued()).toContain(name);
}

const from = (address: string) => ({ "x-forwarded-for": address });

describe("reads are queued", () => {
  it("queues reads in turns by address", async () => {
    for (const name of ["ONE1", "ONE2", "ONE3"]) await create(name, from("2001:db8:1:2::1"));
    await create("ONE4", from("2001:db8:1:2::ffff"));
    for (const name of ["TWO1", "TWO2"]) await create(name, from("203.0.113.2"));
    expect(await queued()).toEqual(["ONE1", "TWO1", "ONE2", "TWO2", "ONE3", "ONE4"]);
  });

  it("only the worker queues reads for links of members", async () => {
    await createLink(api, ada.browser, pageOf("ADA1"));
    await create("ANO1", from("203.0.113.3"));
    expect(await queued()).toEqual(["ANO1"]);
  });

  it("queues reads without a network address or user id in Redis", async () => {
    await create("ANO1", from("203.0.113.77"));
    await check("ADA1");
    const keys = (await redis.keys("reads:*")).toSorted();
    expect(keys).toEqual(Array(2).fill(expect.stringMatching(/^reads:[\w-]{43}$/)));
    for (const key of keys) expect(await redis.ttl(key)).toBeGreaterThan(0);
    for (const key of await redis.keys("*")) expect(key).not.toContain("203.0.113");
  });
});
