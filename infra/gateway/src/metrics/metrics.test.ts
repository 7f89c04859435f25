import { createSocket } from "node:dgram";
import type { ServerResponse } from "node:http";
import { freePort } from "@tapthru/runtime/testing/free-port";
import { afterEach, beforeEach, expect, it, onTestFinished, vi } from "vitest";
import { IN_PROGRESS_PER_REPLICA } from "../limits.ts";
import { ask } from "../testing/ask.ts";
import { type RunningGateway, startGateway } from "../testing/start-gateway.ts";
import { startUpstream, UNREACHABLE_ADDRESS } from "../testing/upstream.ts";
import { createParts } from "./parts.ts";

const SOON = { timeout: 10_000, interval: 20 };

let gateway: RunningGateway | null = null;
let syslogPort: number;
let adminPort: number;
let parts: ReturnType<typeof createParts>;

beforeEach(async () => {
  [syslogPort, adminPort] = [await freePort(), await freePort()];
  parts = createParts({ host: "127.0.0.1", syslogPort, adminPort, version: "1" });
  for (const part of parts) await part.start?.();
});
afterEach(async () => {
  await gateway?.stop();
  gateway = null;
  for (const part of parts.toReversed()) await part.stop?.();
});

async function start(settings: Parameters<typeof startGateway>[0] = {}): Promise<string> {
  gateway = await startGateway({ metricsAddress: `127.0.0.1:${syslogPort}`, ...settings });
  return gateway.url;
}

/** The lines that count requests and are not 0. */
async function counted(name: string): Promise<string[]> {
  const text = await (await fetch(`http://127.0.0.1:${adminPort}/metrics`)).text();
  return text.split("\n").filter((line) => line.startsWith(name) && !line.endsWith(" 0"));
}

const requests = "tapthru_gateway_request_duration_seconds_count";

it("counts what visitors got, by route, method and status", async () => {
  const url = await start();
  await ask(`${url}/l/abc2345?tag=secret-20`);
  await ask(`${url}/l/abc2345`, { method: "HEAD" });
  await ask(`${url}/l/abc2345/outcome`, { method: "POST" });
  await ask(`${url}/api/generate`, { method: "POST" });
  await ask(`${url}/api/visitor`);
  await ask(`${url}/`);
  await vi.waitFor(
    async () =>
      expect((await counted(requests)).toSorted()).toEqual([
        `${requests}{route="/api/*",method="GET",status="200"} 1`,
        `${requests}{route="/api/generate",method="POST",status="200"} 1`,
        `${requests}{route="/l/:code",method="GET",status="200"} 1`,
        `${requests}{route="/l/:code",method="HEAD",status="200"} 1`,
        `${requests}{route="/l/:code/outcome",method="POST",status="200"} 1`,
        `${requests}{route="site",method="GET",status="200"} 1`,
      ]),
    SOON,
  );
  // The gateway itself sends the site's files.
  expect(await counted("tapthru_gateway_upstream_duration_seconds_count")).toHaveLength(5);
  expect(await counted("tapthru_gateway_connections_ratio")).toHaveLength(1);
});

it("shows errors as 0 before there are any", async () => {
  const text = await (await fetch(`http://127.0.0.1:${adminPort}/metrics`)).text();
  for (const status of [500, 502, 503, 504]) {
    expect(text).toContain(`${requests}{route="/l/:code",method="GET",status="${status}"} 0`);
    expect(text).toContain(`${requests}{route="/api/generate",method="POST",status="${status}"} 0`);
  }
  expect(text).toContain('tapthru_gateway_refusals_total{route="/l/:code",status="503"} 0');
  expect(text).toContain('tapthru_gateway_lost_records_total{reason="dropped"} 0');
});

it("counts a second replica that was asked, and what no replica answered", async () => {
  const url = await start({ redirect: [UNREACHABLE_ADDRESS, UNREACHABLE_ADDRESS] });
  expect((await ask(`${url}/l/abc2345`)).status).toBe(502);
  await vi.waitFor(
    async () =>
      expect(await counted("tapthru_gateway_retries_total")).toEqual([
        'tapthru_gateway_retries_total{route="/l/:code"} 1',
      ]),
    SOON,
  );
  expect(await counted(requests)).toEqual([
    `${requests}{route="/l/:code",method="GET",status="502"} 1`,
  ]);
  expect(await counted("tapthru_gateway_refusals_total")).toEqual([]);
});

it("counts visits that it refuses itself, as all replicas are busy", async () => {
  const waiting: ServerResponse[] = [];
  const busy = await startUpstream((_request, response) => void waiting.push(response));
  onTestFinished(busy.stop);
  const url = await start({ redirect: [busy.address] });
  const places = IN_PROGRESS_PER_REPLICA.redirect;
  const taken = Array.from({ length: places }, () => ask(`${url}/l/abc2345`));
  await vi.waitFor(() => expect(waiting).toHaveLength(places), SOON);
  expect((await ask(`${url}/l/abc2345`)).status).toBe(503);
  await vi.waitFor(
    async () =>
      expect(await counted("tapthru_gateway_refusals_total")).toEqual([
        'tapthru_gateway_refusals_total{route="/l/:code",status="503"} 1',
      ]),
    SOON,
  );
  for (const response of waiting) response.end("done");
  await Promise.all(taken);
});

it("counts records that are not valid as lost", async () => {
  const socket = createSocket("udp4");
  socket.send("nonsense", syslogPort, "127.0.0.1", () => socket.close());
  await vi.waitFor(
    async () =>
      expect(await counted("tapthru_gateway_lost_records_total")).toEqual([
        'tapthru_gateway_lost_records_total{reason="invalid"} 1',
      ]),
    SOON,
  );
});

it("costs no visitor anything while nobody receives the records", async () => {
  const url = await start({ metricsAddress: `127.0.0.1:${await freePort()}` });
  for (let i = 0; i < 5; i++) expect((await ask(`${url}/l/abc2345`)).status).toBe(200);
  expect(gateway?.errorLog()).toBe("");
});
