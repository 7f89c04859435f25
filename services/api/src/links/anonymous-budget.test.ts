import { randomUUID } from "node:crypto";
import { type AmazonStandIn, startAmazonStandIn } from "@tapthru/amazon-stand-in/stand-in";
import { type ControlledRedis, startRedis } from "@tapthru/core/platform/testing/controlled-redis";
import { afterAll, beforeAll, beforeEach, describe, expect, it } from "vitest";
import { eventually } from "../testing/eventually.ts";
import { proofFrom } from "../testing/proofs.ts";
import { startTestApi, type TestApi } from "../testing/test-api.ts";
import { signUpUser, type TestUser } from "../testing/test-user.ts";
import { PROOF_REQUIRED_AFTER } from "./anonymous-budget.ts";

const BUDGET = 6;
/** The rest requires a proof of work. */
const OPEN = BUDGET * PROOF_REQUIRED_AFTER;

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

describe("the budget of anonymous creates", () => {
  it("is shared by all addresses and replicas", async () => {
    const [first, second] = replicas;
    const withoutProof = await statuses(OPEN + 2, (i) => create(i % 2 ? first : second));
    expect(withoutProof).toEqual([...repeat(201, OPEN), 429, 429]);
    const createProved = async (i: number) => create(i % 2 ? first : second, await proofFrom(first));
    const withProof = await statuses(BUDGET - OPEN + 1, createProved);
    expect(withProof).toEqual([...repeat(201, BUDGET - OPEN), 429]);
    const refused = await createProved(0);
    expect(await refused.text()).toBe(
      "Too many links are being created without an account. Please log in, or try again in a minute.",
    );
    const retryAfter = Number(refused.headers.get("retry-after"));
    expect(retryAfter).toBeGreaterThanOrEqual(1);
    expect(retryAfter).toBeLessThanOrEqual(60);
  });

  it("does not apply to members", async () => {
    const [api] = replicas;
    await statuses(OPEN, () => create(api));
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
    await statuses(OPEN - 1, () => create(api));
    expect((await create(api)).status).toBe(429);
    const again = await create(api, headers, url);
    expect([again.status, await again.json()]).toEqual([201, await first.json()]);
  });

  it("is half in each replica while Redis is unavailable", async () => {
    const [api] = replicas;
    await redis.kill();
    const logout = () => api.request("POST", "/api/logout", member.browser);
    await eventually(async () => expect((await logout()).status).toBe(503));
    const half = Math.ceil(OPEN / 2);
    expect(await statuses(OPEN, () => create(api))).toEqual([...repeat(201, half), ...repeat(429, OPEN - half)]);
    const proof = await proofFrom(api);
    expect(await statuses(2, () => create(api, proof))).toEqual([201, 429]);
  });
});
