import { expect, it } from "vitest";
import { sampleWhile } from "./sampling.ts";

it("takes samples during the work and one afterwards", async () => {
  let isDone = false;
  let taken = 0;
  const enough = Promise.withResolvers<void>();

  const [samples, result] = await sampleWhile(
    async () => {
      taken += 1;
      if (taken === 3) enough.resolve();
      return isDone;
    },
    async () => {
      await enough.promise;
      isDone = true;
      return "result";
    },
    1,
  );

  expect(result).toBe("result");
  expect(samples.slice(0, 3)).toEqual([false, false, false]);
  expect(samples.at(-1)).toBe(true);
});

it("fails as soon as a sample fails, while the work goes on", async () => {
  const endless = new Promise<void>(() => {});

  const sampling = sampleWhile(
    () => Promise.reject(new Error("no sample")),
    () => endless,
  );

  await expect(sampling).rejects.toThrow("no sample");
});

it("stops sampling when the work fails", async () => {
  let taken = 0;

  const sampling = sampleWhile(
    async () => {
      taken += 1;
    },
    () => Promise.reject(new Error("no result")),
    1,
  );

  await expect(sampling).rejects.toThrow("no result");
  expect(taken).toBeLessThanOrEqual(2);
});
