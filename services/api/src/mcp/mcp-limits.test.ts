import { startRedis } from "@tapthru/core/platform/testing/controlled-redis";
import { ERRORS } from "@tapthru/proto/errors";
import { MCP_PATH } from "@tapthru/proto/mcp";
import { RATE_LIMITS_PER_MINUTE } from "@tapthru/proto/rules/limits";
import { afterAll, expect, it, onTestFinished } from "vitest";
import { addKey } from "../testing/test-keys.ts";
import { product } from "../testing/test-links.ts";
import { connectMcp } from "../testing/test-mcp.ts";
import { signUpUser } from "../testing/test-user.ts";
import { startApi } from "../testing/world.ts";

const redis = await startRedis();
afterAll(() => redis.remove());
const api = await startApi({ REDIS_CACHE_URL: redis.url, RATE_LIMITS: "on" });

async function connect() {
  const { script } = await addKey(api, await signUpUser(api));
  await api.redis.del(await api.redis.keys("limit:*"));
  const mcp = await connectMcp(api, script);
  onTestFinished(() => mcp.client.close());
  return { ...mcp, script };
}

async function useUp(name: "generate" | "apiKey"): Promise<void> {
  const [counter = ""] = await api.redis.keys(`limit:${name}:visitor:*`);
  await api.redis.set(counter, RATE_LIMITS_PER_MINUTE[name].visitor, "KEEPTTL");
}

it("a tool that creates links counts for the limit of the user", async () => {
  const { call } = await connect();
  await call("create_link", { url: product });
  await useUp("generate");
  expect(await call("create_link", { url: product })).toBe(ERRORS["too-many-requests"].message);
  expect(await call("list_links", {})).toMatchObject({ links: [{ originalUrl: product }] });
});

it("messages count for the limits of the key and the user, which the reply names", async () => {
  const { script } = await connect();
  const ping = () => api.post(MCP_PATH, { jsonrpc: "2.0", id: 1, method: "ping" }, headers);
  const headers = { ...script, accept: "application/json, text/event-stream" };
  const accepted = await ping();
  expect(accepted.status).toBe(200);
  const policies = accepted.headers.get("ratelimit-policy")?.match(/"[^"]+"/g);
  expect(policies).toEqual(['"otherApi-address"', '"apiKey-caller"', '"otherApi-caller"']);

  await useUp("apiKey");
  const refused = await ping();
  expect([refused.status, await refused.text()]).toEqual([429, ERRORS["too-many-requests"].message]);
  expect(Number(refused.headers.get("retry-after"))).toBeGreaterThan(0);
});
