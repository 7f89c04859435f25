import { expect, it } from "vitest";
import { parseRedisAddress, redisAddressError } from "./address.ts";

it.each(["redis://localhost", "redis://user:pass@host:6380/2", "rediss://cache:6379?family=6"])(
  "leaves the address of one server to ioredis: %s",
  (url) => expect(parseRedisAddress(url)).toEqual({ kind: "server", url }),
);

it("reads nodes, login and TLS of a cluster", () => {
  expect(parseRedisAddress("redis+cluster://node1:7000,node2")).toEqual({
    kind: "cluster",
    nodes: [
      { host: "node1", port: 7_000 },
      { host: "node2", port: 6_379 },
    ],
    login: {},
    hasTls: false,
  });
  expect(parseRedisAddress("rediss+cluster://app:a%40b:c@[::1]:7000/0")).toEqual({
    kind: "cluster",
    nodes: [{ host: "::1", port: 7_000 }],
    login: { username: "app", password: "a@b:c" },
    hasTls: true,
  });
});

it.each([
  ["http://host", /^must be an address such as/],
  ["redis://host1:6379,host2:6379", /^must be an address such as/],
  ["redis://host1,host2", /^must be an address such as/],
  ["redis+sentinel://host/main", /^must be an address such as/],
  ["redis+cluster://", /^must be an address such as/],
  ["redis+cluster://host1:6379,,host2", /^must be an address such as/],
  ["redis+cluster://host:99999", /^must be an address such as/],
  ["redis+cluster://:%zz@host", /^must be an address such as/],
  ["redis+cluster://host/1", /^must not name a database/],
  ["redis+cluster://host?family=6", /^must not have options/],
])("refuses %s", (url, reason) => {
  expect(redisAddressError(url)).toMatch(reason);
});

it("does not show a password in an error", () => {
  expect(() => parseRedisAddress("redis+cluster://:hunter2@host/1")).toThrow(
    /^(?!.*hunter2)The address of a Redis must not name a database/,
  );
});
