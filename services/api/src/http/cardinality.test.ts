import { randomBytes } from "node:crypto";
import { afterAll, beforeAll, expect, it } from "vitest";
import { startTestApi, type TestApi } from "../testing/test-api.ts";

let api: TestApi;
beforeAll(async () => {
  api = await startTestApi();
});
afterAll(() => api?.stop());

const METHODS = ["GET", "PATCH", "PUT", "REPORT", "PROPFIND"];

const sent: string[] = [];

async function sendRequests(times: number): Promise<void> {
  for (let i = 0; i < times; i++) {
    const random = randomBytes(6).toString("hex");
    sent.push(random);
    const headers = { "user-agent": random, "x-request-id": random };
    const method = METHODS[i % METHODS.length] as string;
    await api.request(method, `/api/${random}`, headers);
    await api.request("GET", `/api/links/${random}`, headers);
    await api.request("GET", `/api/metadata?product_id=${random}&marketplace=${random}`, headers);
  }
}

it("the number of metric series stays low after hundreds of unknown paths, user agents and methods", async () => {
  await sendRequests(200);
  const text = await api.context.registry.metrics();
  const series = text.split("\n").filter((line) => line.startsWith("tapthru_"));
  expect(series.length).toBeGreaterThan(50);
  expect(series.length).toBeLessThan(2_000);
  expect(sent.filter((random) => text.includes(random))).toEqual([]);
});
