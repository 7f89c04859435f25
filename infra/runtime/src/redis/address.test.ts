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

it("reads sentinels, the master's name and both logins", () => {
  expect(parseRedisAddress("redis+sentinel://:pass@s1,s2:5000/main")).toEqual({
    kind: "sentinel",
    sentinels: [
      { host: "s1", port: 26_379 },
      { host: "s2", port: 5_000 },
    ],
    sentinelLogin: {},
    masterName: "main",
    db: 0,
    login: { password: "pass" },
    hasTls: false,
  });
  const options = "sentinelUsername=watch&sentinelPassword=a%26b";
  expect(parseRedisAddress(`rediss+sentinel://s1/main/3?${options}`)).toMatchObject({
    sentinelLogin: { username: "watch", password: "a&b" },
    db: 3,
    hasTls: true,
  });
});

it.each([
  ["http://host", /^must be an address such as/],
  ["redis://host1:6379,host2:6379", /^must be an address such as/],
  ["redis://host1,host2", /^must be an address such as/],
  ["redis+cluster://", /^must be an address such as/],
  ["redis+cluster://host1:6379,,host2", /^must be an address such as/],
  ["redis+cluster://host:99999", /^must be an address such as/],
  ["redis+cluster://:%zz@host", /^must be an address such as/],
  ["redis+cluster://host/1", /^must not name a database/],
  ["redis+cluster://host?family=6", /^must not have options/],
  ["redis+sentinel://host", /^must end with the name of the master/],
  ["redis+sentinel://host/main?role=slave", /^takes no other options/],
])("refuses %s", (url, reason) => {
  expect(redisAddressError(url)).toMatch(reason);
});

it("does not show a password in an error", () => {
  expect(() => parseRedisAddress("redis+cluster://:hunter2@host/1")).toThrow(
    /^(?!.*hunter2)The address of a Redis must not name a database/,
  );
});
