import { once } from "node:events";
import { createServer } from "node:http";
import type { AddressInfo } from "node:net";
import { expect, it, onTestFinished, vi } from "vitest";
import { destinationOf, newCodes } from "../insert-links.ts";
import { OPERATION_GROUPS, runSoak, type SoakPlan, sumOf } from "./soak-load.ts";

// Each test starts a process.
vi.setConfig({ testTimeout: 120_000 });

const CODES = newCodes(100);
const OWNER = {
  publicOrigin: "http://localhost",
  cookie: "session=1",
  authorization: "Bearer token",
  firebaseUid: "uid",
  codes: CODES.slice(0, 1),
};

const PHONE = /iPhone|facebook/;

/** Responds as the stack does, but the redirect of one link leads elsewhere. */
async function startServer(wrongCode: string): Promise<{ origin: string; calls: Set<string> }> {
  const calls = new Set<string>();
  const server = createServer((request, response) => {
    const [, , code = ""] = (request.url ?? "").split("/");
    const isVisit = request.url?.startsWith("/l/");
    if (!isVisit) {
      calls.add(`${request.method} ${request.url}`);
      response.writeHead(request.url === "/api/generate" ? 201 : 200).end("{}");
    } else if (!CODES.includes(code)) response.writeHead(404).end();
    else if (PHONE.test(request.headers["user-agent"] ?? "")) response.writeHead(200).end(code);
    else {
      const location = code === wrongCode ? "https://example.com" : destinationOf(code);
      response.writeHead(302, { location }).end();
    }
  });
  server.listen(0, "127.0.0.1");
  await once(server, "listening");
  onTestFinished(() => void server.closeAllConnections());
  onTestFinished(() => void server.close());
  return { origin: `http://127.0.0.1:${(server.address() as AddressInfo).port}`, calls };
}

const planFor = (origin: string, changes: Partial<SoakPlan> = {}): SoakPlan => ({
  origin,
  perSecond: 1_000,
  // Even if none has a response yet, all are sent.
  total: 1_000,
  windowSeconds: 1,
  seed: 7,
  codes: CODES,
  warmLinks: 10,
  owner: OWNER,
  ...changes,
});

it("sends exactly as many operations as planned, of all kinds, without a failure", async () => {
  const { origin, calls } = await startServer("none");

  const windows = await runSoak(planFor(origin), new AbortController().signal);

  const operations = OPERATION_GROUPS.map((group) => sumOf(windows, group, "operations"));
  expect(operations.every((count) => count > 0)).toBe(true);
  expect(operations.reduce((sum, count) => sum + count)).toBe(1_000);
  expect(windows.flatMap(({ failures }) => failures)).toEqual([]);
  expect([...calls].sort()).toEqual([
    "GET /api/links",
    `PATCH /api/links/${CODES[0]}`,
    "POST /api/generate",
    "POST /api/login",
    "POST /api/logout",
  ]);
});

it("counts a redirect to another address as failed", async () => {
  const [popular = ""] = CODES;
  const { origin } = await startServer(popular);

  const plan = planFor(origin, { owner: null });
  const windows = await runSoak(plan, new AbortController().signal);

  expect(sumOf(windows, "warm", "failed")).toBeGreaterThan(0);
  expect(sumOf(windows, "cold", "failed")).toBe(0);
  expect(windows.flatMap(({ failures }) => failures)).toContain(
    `${popular} redirects to https://example.com`,
  );
});

it("counts operations without a response as failed", async () => {
  const plan = planFor("http://127.0.0.1:9", { total: 100 });

  const windows = await runSoak(plan, new AbortController().signal);

  const sum = (figure: "operations" | "failed") =>
    OPERATION_GROUPS.reduce((total, group) => total + sumOf(windows, group, figure), 0);
  expect(sum("failed")).toBe(100);
  expect(sum("operations")).toBe(100);
});
