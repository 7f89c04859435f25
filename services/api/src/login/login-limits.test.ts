import type { Context } from "koa";
import { expect, it } from "vitest";
import { NO_RATE_LIMITS } from "../http/rate-limits.ts";
import { eventually } from "../testing/eventually.ts";
import { createLoginLimits } from "./login-limits.ts";

it("hashes one password of strangers at a time and refuses more than 20 that wait, while one of a known browser is hashed", async () => {
  const { hash } = createLoginLimits({
    db: { maybeOneFirst: () => Promise.resolve(null as never) },
    publicBaseUrl: "https://t.example",
    hasLimits: true,
    identityLimit: NO_RATE_LIMITS("identity"),
    addressOf: () => "192.0.2.1",
  });
  const whileWaiting = <T>(wait: () => Promise<T>) => wait();
  const ctx = { state: { whileWaiting } } as Context;
  const { promise: end, resolve } = Promise.withResolvers<void>();
  let inProgress = 0;
  const start = (isKnown: boolean) =>
    hash(ctx, isKnown, async () => {
      inProgress += 1;
      await end;
      return "done";
    }).catch(({ code }) => code);
  const strangers = Array.from({ length: 22 }, () => start(false));
  const known = start(true);
  expect(await strangers[21]).toBe("unavailable");
  await eventually(() => expect(inProgress).toBe(2));
  resolve();
  expect(await Promise.all([known, ...strangers.slice(0, 21)])).toEqual(Array(22).fill("done"));
});
