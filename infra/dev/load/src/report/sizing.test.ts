import { expect, it } from "vitest";
import { sizeFor } from "./sizing.ts";

const MEASURED = {
  replica: 10_000,
  gatewayCore: 20_000,
  redis: 50_000,
  redisReadShare: 0.5,
  bytes: 1_250,
  megabytesPerMillionLinks: 500,
};

it("keeps half of the capacity free", () => {
  expect(sizeFor(100_000, MEASURED)).toMatchObject({ replicas: 20, gatewayCores: 10, redis: 2 });
});

it("has at least two replicas and two gateway cores", () => {
  expect(sizeFor(10, MEASURED)).toMatchObject({ replicas: 2, gatewayCores: 2, redis: 1 });
});

it("scales Postgres queries with replicas, not with visits", () => {
  expect(sizeFor(100_000, MEASURED)).toMatchObject({ postgresQueries: 40, postgresMisses: 10_000 });
});

it("returns outgoing traffic in bits", () => {
  expect(sizeFor(100_000, MEASURED).gigabitsPerSecond).toBe(1);
});
