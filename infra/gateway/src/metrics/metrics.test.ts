import { createSocket } from "node:dgram";
import { freePort } from "@tapthru/core/platform/testing/free-port";
import { createTestLogger } from "@tapthru/core/platform/testing/test-logger";
import { afterEach, beforeEach, expect, it, vi } from "vitest";
import { sendRequest } from "../testing/send-request.ts";
import { createCertificates, gatewayForTest } from "../testing/start-gateway.ts";
import { UNREACHABLE_ADDRESS } from "../testing/upstream.ts";
import { createComponents } from "./components.ts";

const WAIT = { timeout: 60_000, interval: 20 };

let syslogPort: number;
let adminPort: number;
let components: ReturnType<typeof createComponents>;

beforeEach(async () => {
  [syslogPort, adminPort] = [await freePort(), await freePort()];
  const { logger } = createTestLogger();
  components = createComponents({ host: "::", syslogPort, adminPort, version: "1", logger });
  for (const component of components) await component.start?.();
});
afterEach(async () => {
  for (const component of components.toReversed()) await component.stop?.();
});

const start = (settings: Parameters<typeof gatewayForTest>[0] = {}) =>
  gatewayForTest({ metricsAddress: `127.0.0.1:${syslogPort}`, ...settings });

/** Lines of the metrics with this prefix whose value is not 0. */
async function nonZeroSamples(name: string): Promise<string[]> {
  const text = await (await fetch(`http://127.0.0.1:${adminPort}/metrics`)).text();
  return text.split("\n").filter((line) => line.startsWith(name) && !line.endsWith(" 0"));
}

const expectSamples = (name: string, expected: readonly string[]) =>
  vi.waitFor(async () => expect((await nonZeroSamples(name)).toSorted()).toEqual(expected), WAIT);

const requests = "tapthru_gateway_request_duration_seconds_count";

it("counts responses by route, method and status, also by IPv6", async () => {
  const gateway = await start({ metricsAddress: `[::1]:${syslogPort}` });
  await gateway.send("/l/abc2345?tag=secret-20");
  await gateway.send("/L/ABC2345", { method: "HEAD" });
  await gateway.send("/l/abc2345/outcome", { method: "POST" });
  await gateway.send("/api/generate", { method: "POST" });
  await gateway.send("/api/visitor");
  await gateway.send("/");
  await expectSamples(requests, [
    `${requests}{route="/api/*",method="GET",status="200"} 1`,
    `${requests}{route="/api/generate",method="POST",status="200"} 1`,
    `${requests}{route="/l/:code",method="GET",status="200"} 1`,
    `${requests}{route="/l/:code",method="HEAD",status="200"} 1`,
    `${requests}{route="/l/:code/outcome",method="POST",status="200"} 1`,
    `${requests}{route="site",method="GET",status="200"} 1`,
  ]);
  expect(await nonZeroSamples("tapthru_gateway_connections_ratio")).toHaveLength(1);
});

it("counts visits of own domains as those of links", async () => {
  const host = "go.anna.example";
  const { directory, ca } = await createCertificates(host);
  const port = await freePort();
  await start({ TLS: "on", TLS_PORT: port, CERTIFICATES_DIR: directory });
  for (const [method, path] of [
    ["GET", "/mug"],
    ["GET", "/"],
    ["POST", "/mug/outcome"],
    ["GET", "/robots.txt"],
  ] as const) {
    const options = { ca, servername: host, method, headers: { Host: host } };
    await sendRequest(`https://127.0.0.1:${port}${path}`, options);
  }
  await expectSamples(requests, [
    `${requests}{route="/l/:code",method="GET",status="200"} 2`,
    `${requests}{route="/l/:code/outcome",method="POST",status="200"} 1`,
    `${requests}{route="site",method="GET",status="200"} 1`,
  ]);
});

it("exposes errors as 0 before the first one, and counts invalid records as lost", async () => {
  const text = await (await fetch(`http://127.0.0.1:${adminPort}/metrics`)).text();
  expect(text).toContain(`${requests}{route="/l/:code",method="GET",status="502"} 0`);
  expect(text).toContain(`${requests}{route="/api/generate",method="POST",status="503"} 0`);
  expect(text).toContain('tapthru_gateway_refusals_total{route="/l/:code",status="503"} 0');
  expect(text).toContain('tapthru_gateway_lost_records_total{reason="dropped"} 0');
  const socket = createSocket("udp4");
  socket.send("nonsense", syslogPort, "127.0.0.1", () => socket.close());
  await expectSamples("tapthru_gateway_lost_records_total", ['tapthru_gateway_lost_records_total{reason="invalid"} 1']);
});

it("counts failures of all replicas, and visits that are refused afterwards", async () => {
  const gateway = await start({ redirect: [UNREACHABLE_ADDRESS, UNREACHABLE_ADDRESS] });
  expect((await gateway.send("/l/abc2345")).status).toBe(502);
  await expectSamples(requests, [`${requests}{route="/l/:code",method="GET",status="502"} 1`]);
  expect(await nonZeroSamples("tapthru_gateway_refusals_total")).toEqual([]);
  // Both replicas failed within the last two seconds.
  await vi.waitFor(async () => expect((await gateway.send("/l/abc2345")).status).toBe(503), WAIT);
  await expectSamples("tapthru_gateway_refusals_total", [
    'tapthru_gateway_refusals_total{route="/l/:code",status="503"} 1',
  ]);
});

it("does not affect visitors if gateway-metrics is down", async () => {
  const gateway = await start({ metricsAddress: `127.0.0.1:${await freePort()}` });
  for (let i = 0; i < 5; i++) expect((await gateway.send("/l/abc2345")).status).toBe(200);
  expect(gateway.errorLog()).toBe("");
});
