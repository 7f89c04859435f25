import { type ControlledRedis, startRedis } from "@tapthru/core/platform/testing/controlled-redis";
import { createOperatorLink } from "@tapthru/postgres/operator-link";
import { createThrowawayDatabase, type ThrowawayDatabase } from "@tapthru/postgres/testing/throwaway-database";
import { User } from "@tapthru/proto/accounts";
import { createSession } from "@tapthru/stack/testing/callers";
import { type ServiceProcess, startService } from "@tapthru/stack/testing/service-process";
import { afterAll, beforeAll, expect, it, vi } from "vitest";
import * as z from "zod/mini";

let database: ThrowawayDatabase;
let redis: ControlledRedis;
let api: ServiceProcess;
let redirect: ServiceProcess;
let worker: ServiceProcess;
let operator: string;
let member: string;
beforeAll(async () => {
  database = await createThrowawayDatabase();
  redis = await startRedis();
  const start = async (program: "api" | "redirect" | "worker") =>
    startService(program, {
      ...{ REDIS_CACHE_URL: redis.url, REDIS_QUEUE_URL: redis.url },
      DATABASE_URL: await database.urlAs(`tapthru_${program}`),
    });
  [api, redirect, worker] = [await start("api"), await start("redirect"), await start("worker")];
  const link = await createOperatorLink(database.url, api.url);
  operator = await createSession(api.url, link.split("invitation=")[1]);
  member = await createSession(api.url);
});
afterAll(async () => {
  for (const service of [worker, redirect, api]) await service.stop();
  await redis.remove();
  await database.drop();
});

async function request(method: string, path: string, body?: object, cookie?: string) {
  const response = await fetch(api.url + path, {
    method,
    headers: { "content-type": "application/json", origin: api.url, ...(cookie && { cookie }) },
    body: body === undefined ? null : JSON.stringify(body),
  });
  expect(response.ok).toBe(true);
  return response.json();
}
async function createLink(cookie?: string): Promise<string> {
  const body = { url: "https://www.amazon.de/dp/B0ZZ1Y2X3W" };
  const link = await request("POST", "/api/generate", body, cookie);
  return z.object({ shortCode: z.string() }).parse(link).shortCode;
}
/** Visits the link, as often as it takes. */
const becomes = (code: string, status: number) =>
  vi.waitFor(
    async () => {
      const visit = await fetch(`${redirect.url}/l/${code}`, { redirect: "manual" });
      expect(visit.status).toBe(status);
    },
    { timeout: 30_000, interval: 200 },
  );

it("visitors get 410 for a reported link that an operator takes down, until they undo it", async () => {
  const code = await createLink();
  await becomes(code, 302);
  await request("POST", "/api/reports", { code, reason: "harmful" });
  const path = `/api/operator/reports/${code}`;
  await request("PUT", path, { state: "taken-down" }, operator);
  await becomes(code, 410);
  await request("PUT", path, { state: "open" }, operator);
  await becomes(code, 302);
});

it("visitors get 410 for all links of a user who is blocked, until the user is enabled", async () => {
  const codes = [await createLink(member), await createLink(member)];
  const found = await request("GET", `/api/operator/users?q=${codes[0]}`, undefined, operator);
  const { users } = z.object({ users: z.array(z.pick(User, { id: true })) }).parse(found);
  const path = `/api/operator/users/${users[0]?.id}/state`;
  for (const code of codes) await becomes(code, 302);
  await request("PUT", path, { state: "blocked" }, operator);
  for (const code of codes) await becomes(code, 410);
  await request("PUT", path, { state: "enabled" }, operator);
  for (const code of codes) await becomes(code, 302);
});
