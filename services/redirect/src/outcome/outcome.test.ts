import { createHttpMetrics } from "@tapthru/core/platform/http/http-metrics";
import { BUILT_IN_OPENING_TABLE } from "@tapthru/proto/rules/app-opening/built-in-app-opening";
import Fastify, { type FastifyInstance } from "fastify";
import { Registry } from "prom-client";
import { afterEach, beforeEach, expect, it } from "vitest";
import { createClientParser } from "../visitor/visitor.ts";
import { createOutcomes, type Outcomes } from "./outcomes.ts";
import { registerOutcomeRoute } from "./routes.ts";

const AGENT = "Mozilla/5.0 (iPhone) Mobile/21E236 Instagram 445.0.0.26.117 (iPhone14,5; iOS 17_4_1)";
const SAFARI = "Mozilla/5.0 (iPhone) Version/18.6 Safari/604.1";
const STRATEGY = `${BUILT_IN_OPENING_TABLE.version}/instagram-ios`;
const LABELS = `table="${BUILT_IN_OPENING_TABLE.version}",row="instagram-ios",app="instagram",os="ios"`;

let registry: Registry;
let outcomes: Outcomes;
let app: FastifyInstance;
let clicks: unknown[];
beforeEach(() => {
  registry = new Registry();
  clicks = [];
  outcomes = createOutcomes({ key: "k".repeat(32), hasRateLimits: true, registry });
  app = Fastify({ trustProxy: true });
  registerOutcomeRoute(app, {
    ...outcomes,
    httpMetrics: createHttpMetrics(registry),
    clicks: { countOutcome: (...counted) => clicks.push(counted) },
    parseClient: createClientParser(() => BUILT_IN_OPENING_TABLE),
  });
});
afterEach(() => app.close());

function report(body: unknown, { agent = AGENT, from = "192.0.2.1", type = "text/plain" } = {}) {
  return app.inject({
    method: "POST",
    url: "/l/abc2345/outcome",
    headers: { "user-agent": agent, "x-forwarded-for": from, "content-type": type },
    payload: typeof body === "string" ? body : JSON.stringify(body),
  });
}

async function requestCounts(): Promise<string[]> {
  const text = await registry.getSingleMetricAsString("tapthru_http_request_duration_seconds");
  return text.split("\n").filter((line) => line.includes("_count"));
}

async function outcomeCounts(): Promise<string[]> {
  const text = await registry.getSingleMetricAsString("tapthru_app_opening_outcomes_total");
  return text.split("\n").slice(2);
}

const validReport = (strategy = STRATEGY) => ({
  row: strategy,
  outcome: "opened",
  proof: outcomes.proofs.create("abc2345", strategy, Date.now()),
});

it.each(["opened", "stayed", "unknown"])("counts %s by strategy, table, app and system", async (outcome) => {
  const response = await report({ ...validReport(), outcome });
  expect(response.statusCode).toBe(204);
  expect(response.body).toBe("");
  expect(await outcomeCounts()).toEqual([`tapthru_app_opening_outcomes_total{${LABELS},outcome="${outcome}"} 1`]);
});

it("counts the report of a page that waits for a tap for its link only", async () => {
  await report(validReport(`${STRATEGY}/tap`));
  expect(await outcomeCounts()).toEqual([]);
  expect(clicks).toEqual([["abc2345", "opened", null]]);
});

it.each<[string, () => unknown, { agent?: string; type?: string }?]>([
  ["nothing", () => ""],
  ["invalid JSON", () => "{"],
  ["a list", () => []],
  ["another outcome", () => ({ ...validReport(), outcome: "bought" })],
  ["an extra field", () => ({ ...validReport(), person: "x" })],
  ["no proof", () => ({ row: STRATEGY, outcome: "opened" })],
  ["an invalid proof", () => ({ ...validReport(), proof: "p".repeat(63) })],
  [
    "the proof for another strategy",
    () => ({ ...validReport(`${BUILT_IN_OPENING_TABLE.version}/x-ios`), row: STRATEGY }),
  ],
  ["a strategy of an old table", () => validReport("1999-01-01/instagram-ios")],
  ["an unknown strategy", () => validReport(`${BUILT_IN_OPENING_TABLE.version}/myspace-ios`)],
  ["the User-Agent of another app", validReport, { agent: SAFARI }],
  ["the User-Agent of a desktop", validReport, { agent: "Mozilla/5.0 (Windows NT 10.0)" }],
  ["more than 256 bytes", () => ({ ...validReport(), x: "x".repeat(256) })],
  ["a malformed content type", validReport, { type: '"' }],
])("responds to %s with 204 and counts only the request", async (_case, body, options) => {
  const response = await report(body(), options);
  expect(response.statusCode).toBe(204);
  expect(await outcomeCounts()).toEqual([]);
  expect(await requestCounts()).toEqual([
    expect.stringMatching(/route="\/l\/:code\/outcome",method="POST",status="204"} 1$/),
  ]);
});

it("counts the report of a page once", async () => {
  const body = validReport();
  for (const from of ["192.0.2.1", "198.51.100.1"]) await report(body, { from });
  expect((await outcomeCounts())[0]).toMatch(/ 1$/);
  expect(clicks).toHaveLength(1);
});

it("counts 30 reports per minute from one address for a link", async () => {
  for (let count = 0; count < 40; count++) {
    expect((await report(validReport())).statusCode).toBe(204);
  }
  expect(clicks).toHaveLength(30);
  await report(validReport(), { from: "192.0.2.2" });
  expect(clicks).toHaveLength(31);
});

it.each([
  ["IPv4", (n: number) => `192.0.2.${n}`, "192.0.3.1"],
  ["IPv6", (n: number) => `2001:db8:1:${n}::1`, "2001:db8:2::1"],
])("counts 20 reports of a network per row for the rates: %s", async (_kind, from, other) => {
  for (let n = 1; n <= 25; n++) await report(validReport(), { from: from(n) });
  expect((await outcomeCounts())[0]).toMatch(/ 20$/);
  expect(clicks).toHaveLength(25);
  expect(clicks.at(-1)).toEqual(["abc2345", "opened", null]);
  await report(validReport(`${BUILT_IN_OPENING_TABLE.version}/browser-ios`), { from: from(1), agent: SAFARI });
  await report(validReport(), { from: other });
  expect((await outcomeCounts()).map((line) => line.split(" ").at(-1)).sort()).toEqual(["1", "21"]);
});
