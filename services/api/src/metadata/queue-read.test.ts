import { openQueue } from "@tapthru/runtime/jobs/queue";
import {
  type ControlledRedis,
  createControlledRedis,
} from "@tapthru/runtime/testing/controlled-redis";
import { Redis } from "ioredis";
import { afterAll, beforeAll, beforeEach, describe, expect, it, vi } from "vitest";
import { EMULATOR_START_MS } from "../testing/test-accounts.ts";
import { startTestApi, type TestApi } from "../testing/test-api.ts";
import { signUpUser, type TestUser } from "../testing/test-user.ts";

let server: ControlledRedis;
let redis: Redis;
let api: TestApi;
let ada: TestUser;
let eve: TestUser;
beforeAll(async () => {
  server = await createControlledRedis();
  await server.start();
  redis = new Redis(server.url, { maxRetriesPerRequest: null });
  api = await startTestApi({ REDIS_QUEUE_URL: server.url });
  ada = await signUpUser(api);
  eve = await signUpUser(api);
}, EMULATOR_START_MS);
afterAll(async () => {
  await api.stop();
  redis.disconnect();
  await server.remove();
});
beforeEach(async () => {
  await redis.flushall();
  await api.query("TRUNCATE links, link_changes, products, recent_creates CASCADE");
});

const pageOf = (name: string) => `https://www.amazon.de/dp/B00000${name}`;

/** Queued pages in the order of processing. */
async function queued(): Promise<string[]> {
  const jobs = await openQueue("scrape-metadata", redis, api.context.logger).getPrioritized();
  return jobs.map(({ data }) => String(Object(data.payload).canonicalUrl).slice(-4));
}

/** Creates a link and waits until the read of its page is queued. */
async function create(name: string, headers: Record<string, string>): Promise<void> {
  const response = await api.post("/api/generate", { url: pageOf(name) }, headers);
  expect(response.status).toBe(201);
  await vi.waitFor(async () => expect(await queued()).toContain(name), { timeout: 10_000 });
}

const from = (address: string) => ({ "x-forwarded-for": address });

describe("reads for new links are queued", () => {
  it("with members before visitors without an account", async () => {
    for (const name of ["ANO1", "ANO2", "ANO3"]) await create(name, from("203.0.113.1"));
    for (const name of ["ADA1", "ADA2"]) await create(name, ada.browser);
    expect(await queued()).toEqual(["ADA1", "ADA2", "ANO1", "ANO2", "ANO3"]);
  });

  it("in turns by address", async () => {
    for (const name of ["ONE1", "ONE2", "ONE3"]) await create(name, from("2001:db8:1:2::1"));
    await create("ONE4", from("2001:db8:1:2::ffff"));
    for (const name of ["TWO1", "TWO2"]) await create(name, from("203.0.113.2"));
    expect(await queued()).toEqual(["ONE1", "TWO1", "ONE2", "TWO2", "ONE3", "ONE4"]);
  });

  it("in turns by member", async () => {
    for (const name of ["ADA1", "ADA2", "ADA3"]) await create(name, ada.browser);
    await create("EVE1", eve.browser);
    expect(await queued()).toEqual(["ADA1", "EVE1", "ADA2", "ADA3"]);
  });

  it("with a higher priority if a member links to a page that a visitor queued", async () => {
    for (const name of ["ANO1", "BOTH"]) await create(name, from("203.0.113.3"));
    await create("ADA1", ada.browser);
    expect((await api.post("/api/generate", { url: pageOf("BOTH") }, eve.browser)).status).toBe(
      201,
    );
    await vi.waitFor(async () => expect(await queued()).toEqual(["ADA1", "BOTH", "ANO1"]), {
      timeout: 10_000,
    });
  });

  it("without a network address or user id in Redis", async () => {
    await create("ANO1", from("203.0.113.77"));
    await create("ADA1", ada.browser);
    const keys = (await redis.keys("reads:*")).toSorted();
    expect(keys).toEqual(Array(2).fill(expect.stringMatching(/^reads:[\w-]{43}$/)));
    for (const key of keys) expect(await redis.ttl(key)).toBeGreaterThan(0);
    for (const key of await redis.keys("*")) expect(key).not.toContain("203.0.113");
  });
});
