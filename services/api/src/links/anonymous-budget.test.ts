import { randomUUID } from "node:crypto";
import { type AmazonStandIn, startAmazonStandIn } from "@tapthru/amazon-stand-in/stand-in";
import { messages } from "@tapthru/proto/rules/messages";
import { type ControlledRedis, startRedis } from "@tapthru/runtime/testing/controlled-redis";
import { afterAll, beforeAll, beforeEach, describe, expect, it, vi } from "vitest";
import { startTestApi, type TestApi } from "../testing/test-api.ts";
import { signUpUser, type TestUser } from "../testing/test-user.ts";

const BUDGET = 6;

let amazon: AmazonStandIn;
let redis: ControlledRedis;
let replicas: [TestApi, TestApi];
let member: TestUser;
beforeAll(async () => {
  amazon = await startAmazonStandIn();
  redis = await startRedis();
  const start = () =>
    startTestApi({
      EGRESS_STAND_IN_URL: amazon.url,
      REDIS_CACHE_URL: redis.url,
      RATE_LIMITS: "on",
      ANONYMOUS_CREATES_PER_MINUTE: BUDGET,
    });
  replicas = [await start(), await start()];
  member = await signUpUser(replicas[0]);
});
afterAll(async () => {
  for (const api of replicas) await api.stop();
  await redis.remove();
  await amazon.stop();
});
beforeEach(async () => {
  const counts = await replicas[0].redis.keys("limit:*");
  if (counts.length > 0) await replicas[0].redis.del(counts);
});

let links = 0;
function create(api: TestApi, headers: Record<string, string> = {}, url?: string) {
  const n = ++links;
  const from = { "x-forwarded-for": `203.0.113.${n % 250}` };
  return api.post(
    "/api/generate",
    { url: url ?? `https://www.amazon.de/dp/B${String(n).padStart(9, "0")}` },
    { ...from, ...headers },
  );
}

async function statuses(count: number, send: (i: number) => Promise<Response>): Promise<number[]> {
  const responses = [];
  for (let i = 0; i < count; i++) responses.push((await send(i)).status);
  return responses;
}

const repeat = (status: number, times: number) => Array<number>(times).fill(status);

async function counted(api: TestApi, outcome: string): Promise<number> {
  const metric = api.context.registry.getSingleMetric("tapthru_anonymous_creates_total");
  const { values } = (await metric?.get()) ?? { values: [] };
  return values.find(({ labels }) => labels.outcome === outcome)?.value ?? Number.NaN;
}

describe("the budget of anonymous creates", () => {
  it("is shared by all addresses and replicas", async () => {
    const [first, second] = replicas;
    const responses = await statuses(BUDGET + 2, (i) => create(i % 2 ? first : second));
    expect(responses).toEqual([...repeat(201, BUDGET), 429, 429]);
    const refused = await create(first);
    expect(await refused.text()).toBe(messages.tooManyAnonymousLinks);
    const retryAfter = Number(refused.headers.get("retry-after"));
    expect(retryAfter).toBeGreaterThanOrEqual(1);
    expect(retryAfter).toBeLessThanOrEqual(60);
  });

  it("does not apply to members", async () => {
    const [api] = replicas;
    await statuses(BUDGET, () => create(api));
    expect(await statuses(3, () => create(api, member.browser))).toEqual(repeat(201, 3));
    expect((await create(api)).status).toBe(429);
  });

  it("is not used by addresses that are rejected", async () => {
    const [api] = replicas;
    const url = "https://www.amazon.de/ap/signin";
    expect(await statuses(BUDGET + 1, () => create(api, {}, url))).toEqual(repeat(422, BUDGET + 1));
    expect((await create(api)).status).toBe(201);
  });

  it.each([
    ["a store page", "https://www.amazon.de/dp/B0REPLAYED"],
    ["a short link", "https://amzn.to/3TapTru"],
  ])("is not used by replays of %s, which work when it is used up", async (_title, url) => {
    const [api] = replicas;
    const headers = { "idempotency-key": randomUUID() };
    const first = await create(api, headers, url);
    expect(first.status).toBe(201);
    await statuses(BUDGET - 1, () => create(api));
    expect((await create(api)).status).toBe(429);
    const again = await create(api, headers, url);
    expect([again.status, await again.json()]).toEqual([200, await first.json()]);
  });

  it("is counted in a metric, accepted and refused", async () => {
    const [api] = replicas;
    const before = [await counted(api, "accepted"), await counted(api, "refused")] as const;
    await statuses(BUDGET + 3, () => create(api));
    expect(await counted(api, "accepted")).toBe(before[0] + BUDGET);
    expect(await counted(api, "refused")).toBe(before[1] + 3);
  });

  it("is half in each replica while Redis is unavailable", async () => {
    const [api] = replicas;
    await redis.kill();
    const logout = () => api.request("POST", "/api/logout", member.browser);
    await vi.waitFor(async () => expect((await logout()).status).toBe(503), { timeout: 5_000 });
    const responses = await statuses(BUDGET, () => create(api));
    expect(responses).toEqual([...repeat(201, BUDGET / 2), ...repeat(429, BUDGET / 2)]);
  });
});
