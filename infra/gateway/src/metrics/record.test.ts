import { expect, it } from "vitest";
import { droppedDatagrams } from "./components.ts";
import { createRecentMaximum } from "./gateway-metrics.ts";
import { parseRecord } from "./record.ts";

const SYSLOG = "<190>Nov 21 07:17:05 gateway: ";
const RECORD = {
  route: "/l/:code",
  method: "GET",
  status: 302,
  seconds: 0.004,
  upstreamStatus: "302",
  upstreamSeconds: "0.003",
  noReplica: "",
  connections: 12,
  maxConnections: 4096,
};
const parse = (record: object) => parseRecord(`${SYSLOG}${JSON.stringify(record)}`);

it("parses a request in a syslog message", () => {
  const { route, method, status, seconds, connections, maxConnections } = RECORD;
  const request = { route, method, status, seconds, connections, maxConnections };
  expect(parse(RECORD)).toEqual({ ...request, tries: 1, upstreamSeconds: 0.003 });
});

it.each([
  ["", "", 0, 0],
  ["-", "0.500", 1, 0.5],
  ["504, 302", "0.500, 0.250", 2, 0.75],
  ["502 : 200", "- : 0.125", 2, 0.125],
])("adds up the time of all replicas tried: %j in %j s", (upstreamStatus, upstreamSeconds, tries, sum) => {
  expect(parse({ ...RECORD, upstreamStatus, upstreamSeconds })).toMatchObject({
    tries,
    upstreamSeconds: sum,
  });
});

it("counts no try if no replica was available", () => {
  const record = { ...RECORD, status: 503, upstreamStatus: "502", noReplica: "1" };
  expect(parse(record)).toMatchObject({ tries: 0 });
});

it.each(["", "<190>Nov 21 07:17:05 gateway: ", "{", "{}", '{"route":1}'])("returns null for %j", (message) => {
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

it("keeps the maximum for one to two periods", () => {
  const maximum = createRecentMaximum(1_000);
  maximum.observe(3, 10_000);
  maximum.observe(7, 10_100);
  maximum.observe(2, 10_200);
  expect(maximum.value(10_900)).toBe(7);
  maximum.observe(1, 11_500);
  expect(maximum.value(11_900)).toBe(7);
  maximum.observe(1, 12_600);
  expect(maximum.value(12_700)).toBe(1);
  expect(maximum.value(20_000)).toBe(0);
});
