import { Registry } from "prom-client";
import { expect, it, onTestFinished, vi } from "vitest";
import { droppedDatagrams } from "./components.ts";
import { createGatewayMetrics } from "./gateway-metrics.ts";
import { parseRecord } from "./record.ts";

const SYSLOG = "<190>Nov 21 07:17:05 gateway: ";
const RECORD = {
  route: "/l/:code",
  method: "GET",
  status: 302,
  seconds: 0.004,
  connections: 12,
  idleConnections: 5,
  maxConnections: 4096,
};

it.each([
  ["", "", 0],
  ["302", "", 1],
  ["504, 302", "", 2],
  ["502 : 200", "", 2],
  ["502", "1", 0],
])("counts the replicas tried: %j, none available: %j", (upstreamStatus, noReplica, tries) => {
  const message = JSON.stringify({ ...RECORD, upstreamStatus, noReplica });
  expect(parseRecord(`${SYSLOG}${message}`)).toEqual({ ...RECORD, tries });
});

it.each(["", SYSLOG, "{", '{"route":1}'])("returns null for %j", (message) => {
  expect(parseRecord(message)).toBeNull();
});

const TABLE = `   sl  local_address rem_address   st tx_queue rx_queue tr tm->when retrnsmt   uid  timeout inode ref pointer drops
  370: 00000000:158A 00000000:0000 07 00000000:00000000 00:00000000 00000000  1000        0 41 2 0000000000000000 17
  371: 0100007F:158B 00000000:0000 07 00000000:00000000 00:00000000 00000000  1000        0 42 2 0000000000000000 4
`;

it("counts the datagrams that the kernel dropped at one port", () => {
  expect(droppedDatagrams(TABLE, 5514)).toBe(17);
  expect(droppedDatagrams(TABLE, 5515)).toBe(4);
  expect(droppedDatagrams(TABLE, 5516)).toBe(0);
  expect(droppedDatagrams("", 5514)).toBe(0);
});

it("exposes the most connections of the last one or two minutes", async () => {
  vi.useFakeTimers({ toFake: ["setInterval"] });
  onTestFinished(() => void vi.useRealTimers());
  const registry = new Registry();
  const observe = createGatewayMetrics(registry);
  const ratio = async () => Number(/^tapthru_gateway_connections_ratio (\S+)$/m.exec(await registry.metrics())?.[1]);
  const request = { route: "site", method: "GET", status: 200, seconds: 0, tries: 0 };
  for (const connections of [15, 85, 25]) observe({ ...request, connections, idleConnections: 5, maxConnections: 100 });
  expect(await ratio()).toBe(0.8);
  vi.advanceTimersByTime(60_000);
  observe({ ...request, connections: 10, idleConnections: 0, maxConnections: 100 });
  expect(await ratio()).toBe(0.8);
  vi.advanceTimersByTime(60_000);
  expect(await ratio()).toBe(0.1);
});
