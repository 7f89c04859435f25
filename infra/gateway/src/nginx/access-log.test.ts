import { mkdtemp, readFile, rm } from "node:fs/promises";
import { connect } from "node:net";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { text } from "node:stream/consumers";
import { expect, it, onTestFinished } from "vitest";
import type { ReceivedResponse } from "../testing/send-request.ts";
import { gatewayForTest, startGateway } from "../testing/start-gateway.ts";
import { UNREACHABLE_ADDRESS, upstreamForTest } from "../testing/upstream.ts";
import { lessThanPattern } from "./nginx-conf.ts";

it("writes one JSON line per request except health checks, with its id and without query, address or headers", async () => {
  const gateway = await gatewayForTest({ trustedProxies: ["127.0.0.1"] });
  const headers = {
    "X-Forwarded-For": "203.0.113.9",
    "User-Agent": "secret-agent",
    Referer: "https://secret.example/",
    Cookie: "secret=1",
  };
  await gateway.send("/version.txt");
  const link = await gateway.send("/l/abc2345?tag=secret-20", { headers });
  const page = await gateway.send("/redirect?original_url=secret", { headers });
  const missing = await gateway.send(`/assets/"gone".js?secret`, { headers });
  const lines = await gateway.accessLog(3);
  const entries = lines.map((line) => JSON.parse(line));
  // Each worker of nginx has its own buffer, so lines are not in the order of the requests.
  const entryOf = ({ headers }: ReceivedResponse) =>
    entries.find(({ requestId }) => requestId === headers["x-request-id"]);
  const common = { level: "info", service: "gateway", method: "GET", seconds: expect.any(Number) };
  expect([link, page, missing].map(entryOf)).toMatchObject([
    { ...common, path: "/l/abc2345", status: 200, bytes: link.bytes.length, upstreamStatus: "200" },
    { ...common, path: "/redirect", status: 200, upstreamStatus: "" },
    { ...common, path: "/assets/%22gone%22.js", status: 404 },
  ]);
  expect(lines.join()).not.toMatch(/secret|203\.0\.113\.9|127\.0\.0\.1|version\.txt/);
});

it("writes the route instead of a path with a Firebase uid, even while the api is unavailable", async () => {
  const gateway = await gatewayForTest({ api: [UNREACHABLE_ADDRESS] });
  const uid = "Uid0123456789Uid0123456789Uid";
  const paths = [
    `/api/users/${uid}?secret`,
    `/api/users/${uid}/`,
    `/api/users/%55id0123456789Uid0123456789Uid`,
    `/API//users/${uid}`,
    `/api/./users/x/../${uid}`,
  ];
  for (const path of paths) await sendRawPath(gateway.port, path);
  const lines = await gateway.accessLog(paths.length);
  expect(lines.map((line) => JSON.parse(line).path)).toEqual(paths.map(() => "/api/users/:firebaseUid"));
  expect(lines.join()).not.toMatch(/id0123456789|secret/);
});

/** HTTP clients normalize the path, so this sends raw text. */
async function sendRawPath(port: number, path: string): Promise<void> {
  const socket = connect(port, "127.0.0.1");
  socket.write(`GET ${path} HTTP/1.1\r\nHost: x\r\nConnection: close\r\n\r\n`);
  await text(socket);
}

it("writes valid JSON for a malformed request", async () => {
  const gateway = await gatewayForTest();
  connect(gateway.port, "127.0.0.1").end('\\"\u0001\r\n\r\n');
  const lines = await gateway.accessLog(1);
  expect(lines.map((line) => JSON.parse(line))).toEqual([expect.objectContaining({ status: 400, path: "" })]);
});

it("the log has the lines of all workers when nginx has stopped", async () => {
  const directory = await mkdtemp(join(tmpdir(), "tapthru-access-log-"));
  onTestFinished(() => rm(directory, { recursive: true }));
  const accessLog = join(directory, "access.log");
  const gateway = await startGateway({ accessLog, workers: 2 });
  const responses = await Promise.all(Array.from({ length: 40 }, () => gateway.send("/l/abc2345")));
  await gateway.stop();
  const logged = (await readFile(accessLog, "utf8")).trimEnd().split("\n");
  const idsOf = (ids: unknown[]) => ids.map(String).sort();
  expect(idsOf(logged.map((line) => JSON.parse(line).requestId))).toEqual(
    idsOf(responses.map(({ headers }) => headers["x-request-id"])),
  );
});

it("writes lines of a share of the visits, but of each failure and of other requests", async () => {
  const { address } = await upstreamForTest(({ url }, response) => {
    response.writeHead(url === "/l/failing" ? 500 : 302).end();
  });
  const gateway = await gatewayForTest({ redirect: [address], RATE_LIMITS: "off", LOG_VISITS_PERCENT: 50 });
  const requests = { "/l/abc2345": 400, "/l/failing": 20, "/redirect": 20 };
  const paths = Object.entries(requests).flatMap(([path, count]) => Array<string>(count).fill(path));
  await Promise.all(paths.map((path) => gateway.send(path)));
  await gateway.restart();
  const logged = Map.groupBy(await gateway.accessLog(1), (line) => JSON.parse(line).path);
  expect(logged.get("/l/failing")).toHaveLength(20);
  expect(logged.get("/redirect")).toHaveLength(20);
  const visits = logged.get("/l/abc2345")?.length;
  expect(visits).toBeGreaterThan(100);
  expect(visits).toBeLessThan(300);
});

it("only the access log reports an unavailable service", async () => {
  const gateway = await startGateway({ api: [UNREACHABLE_ADDRESS] });
  await gateway.send("/api/visitor?secret", { method: "POST" });
  const [line = ""] = await gateway.accessLog(1);
  await gateway.stop();
  const failure = { method: "POST", status: 502, upstreamStatus: "502", upstreamConnectSeconds: "-" };
  expect(JSON.parse(line)).toMatchObject(failure);
  expect(gateway.errorLog()).toBe("");
});

it.each([
  ["contains the address of each client until the configured time", 3_600_000, "203.0.113.9"],
  ["contains no address after that time", -3_600_000, ""],
])("%s", async (_title, aheadMs, address) => {
  const LOG_CLIENT_ADDRESSES_UNTIL = Date.now() + aheadMs;
  const gateway = await gatewayForTest({ trustedProxies: ["127.0.0.1"], LOG_CLIENT_ADDRESSES_UNTIL });
  await gateway.send("/l/abc2345?secret", { headers: { "X-Forwarded-For": "203.0.113.9", Cookie: "secret=1" } });
  const [line = ""] = await gateway.accessLog(1);
  expect(JSON.parse(line)).toMatchObject({ path: "/l/abc2345", status: 200, clientAddress: address });
  expect(line).not.toMatch(/secret|127[.]0[.]0[.]1/);
});

it.each([1_763_712_000, 1_700_000_000, 1_999_999_999])("matches the seconds before %i", (limit) => {
  const pattern = new RegExp(`^${lessThanPattern(limit)}[.]`);
  const distances = Array.from({ length: 60 }, (_, power) => Math.floor(1.35 ** power));
  for (const distance of distances) {
    expect(pattern.test(`${limit - distance}.123`), `${limit} - ${distance}`).toBe(true);
    expect(pattern.test(`${limit + distance}.123`), `${limit} + ${distance}`).toBe(false);
  }
  expect(pattern.test(`${limit}.000`)).toBe(false);
});
