import { expect, it } from "vitest";
import { sizeFor } from "./sizing.ts";

const MEASURED = {
  replica: 10_000,
  gatewayCore: 20_000,
  redis: 50_000,
  askRedis: 0.5,
  bytes: 1_250,
  megabytesPerMillionLinks: 500,
};

it("keeps half of everything free", () => {
  expect(sizeFor(100_000, MEASURED)).toMatchObject({ replicas: 20, gatewayCores: 10, redis: 2 });
});

it("has two of what visitors meet, however few they are", () => {
  expect(sizeFor(10, MEASURED)).toMatchObject({ replicas: 2, gatewayCores: 2, redis: 1 });
});

it("asks Postgres by replica, not by visitor", () => {
  expect(sizeFor(100_000, MEASURED)).toMatchObject({ postgresQueries: 40, postgresMisses: 10_000 });
});

it("counts what goes out in bits", () => {
  expect(sizeFor(100_000, MEASURED).gigabitsPerSecond).toBe(1);
});
