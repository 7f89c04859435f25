import { expect, it } from "vitest";
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
  expect(parse(RECORD)).toEqual({
    route: "/l/:code",
    method: "GET",
    status: 302,
    seconds: 0.004,
    tries: 1,
    upstreamSeconds: 0.003,
    connections: 12,
    maxConnections: 4096,
  });
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
