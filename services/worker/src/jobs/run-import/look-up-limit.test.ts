import { expect, it } from "vitest";
import { limitLookUps } from "./look-up-limit.ts";

it("runs two look-ups at once, and all in the end", async () => {
  let running = 0;
  let most = 0;
  const resolve = limitLookUps(async (url) => {
    most = Math.max(most, ++running);
    await new Promise(setImmediate);
    running--;
    return { kind: "resolved", url };
  });
  const found = await Promise.all(["a", "b", "c"].map(resolve));
  expect(found.map((each) => each.kind === "resolved" && each.url)).toEqual(["a", "b", "c"]);
  expect(most).toBe(2);
});
