import { BUILT_IN_OPENING_TABLE } from "@tapthru/proto/rules/built-in-app-opening";
import { createHttpMetrics } from "@tapthru/runtime/http/http-metrics";
import Fastify, { type FastifyInstance } from "fastify";
import { Registry } from "prom-client";
import { afterEach, beforeEach, describe, expect, it } from "vitest";
import { createClientReader } from "../visitor.ts";
import { createOutcomes, type Outcomes } from "./outcomes.ts";
import { registerOutcomeRoute } from "./routes.ts";

const AGENT =
  "Mozilla/5.0 (iPhone) Mobile/21E236 Instagram 445.0.0.26.117 (iPhone14,5; iOS 17_4_1)";
const ROW = `${BUILT_IN_OPENING_TABLE.version}/instagram-ios`;
const LABELS = `table="${BUILT_IN_OPENING_TABLE.version}",row="instagram-ios",app="instagram",os="ios"`;

let registry: Registry;
let outcomes: Outcomes;
let app: FastifyInstance;
beforeEach(() => {
  registry = new Registry();
  outcomes = createOutcomes({ key: "k".repeat(32), limitsReports: true, registry });
  app = Fastify({ trustProxy: true });
  const readClient = createClientReader(() => BUILT_IN_OPENING_TABLE);
  registerOutcomeRoute(app, { ...outcomes, httpMetrics: createHttpMetrics(registry), readClient });
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

async function requestsCounted(): Promise<string[]> {
  const text = await registry.getSingleMetricAsString("tapthru_http_request_duration_seconds");
  return text.split("\n").filter((line) => line.includes("_count"));
}

async function counted(): Promise<string[]> {
  const text = await registry.getSingleMetricAsString("tapthru_app_opening_outcomes_total");
  return text.split("\n").slice(2);
}

const good = (row = ROW) => ({
  row,
  outcome: "opened",
  proof: outcomes.proofs.make("abc2345", row, Date.now()),
});

describe("POST /l/{code}/outcome", () => {
  it.each(["opened", "stayed", "unknown"])(
    "counts %s by row, table, app and system",
    async (outcome) => {
      const response = await report({ ...good(), outcome });
      expect(response.statusCode).toBe(204);
      expect(response.body).toBe("");
      expect(await counted()).toEqual([
        `tapthru_app_opening_outcomes_total{${LABELS},outcome="${outcome}"} 1`,
      ]);
    },
  );

  it("takes a code in capitals for the same code, and any type of body", async () => {
    const url = "/l/ABC2345/outcome";
    const headers = { "user-agent": AGENT, "content-type": "application/octet-stream" };
    await app.inject({ method: "POST", url, headers, payload: JSON.stringify(good()) });
    expect(await counted()).toHaveLength(1);
  });

  it.each<[string, () => unknown, { agent?: string; type?: string }?]>([
    ["nothing", () => ""],
    ["what is no JSON", () => "{"],
    ["a list", () => []],
    ["another outcome", () => ({ ...good(), outcome: "bought" })],
    ["a field too many", () => ({ ...good(), person: "x" })],
    ["no proof", () => ({ row: ROW, outcome: "opened" })],
    ["a made-up proof", () => ({ ...good(), proof: "p".repeat(43) })],
    [
      "the proof of another row",
      () => ({ ...good(`${BUILT_IN_OPENING_TABLE.version}/x-ios`), row: ROW }),
    ],
    ["a row that is not in force", () => good("1999-01-01/instagram-ios")],
    ["a row nobody wrote", () => good(`${BUILT_IN_OPENING_TABLE.version}/myspace-ios`)],
    ["another app's agent", good, { agent: "Mozilla/5.0 (iPhone) Version/18.6 Safari/604.1" }],
    ["a desktop's agent", good, { agent: "Mozilla/5.0 (Windows NT 10.0)" }],
    ["more than 256 bytes", () => ({ ...good(), x: "x".repeat(256) })],
    ["a broken type of body", good, { type: '"' }],
  ])("answers %s with 204 too, and counts it as a request alone", async (_what, body, options) => {
    const response = await report(body(), options);
    expect(response.statusCode).toBe(204);
    expect(await counted()).toEqual([]);
    expect(await requestsCounted()).toEqual([
      expect.stringMatching(/route="\/l\/:code\/outcome",method="POST",status="204"} 1$/),
    ]);
  });

  it("counts thirty a minute from one address, and those of others", async () => {
    for (let count = 0; count < 40; count++) {
      expect((await report(good())).statusCode).toBe(204);
    }
    expect((await counted())[0]).toMatch(/ 30$/);
    await report(good(), { from: "192.0.2.2" });
    expect((await counted())[0]).toMatch(/ 31$/);
  });
});
