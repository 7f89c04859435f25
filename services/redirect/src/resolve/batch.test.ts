import { expect, it } from "vitest";
import { Batch } from "./batch.ts";

function batch() {
  const asked: (readonly string[])[] = [];
  const capitals = new Batch(async (keys) => {
    asked.push(keys);
    return keys.map((key) => key.toUpperCase());
  });
  return { asked, want: (key: string) => capitals.want(key) };
}

it("asks once for all that is wanted within a turn, each key once", async () => {
  const { asked, want } = batch();
  expect(await Promise.all(["a", "b", "a", "c"].map(want))).toEqual(["A", "B", "A", "C"]);
  expect(asked).toEqual([["a", "b", "c"]]);
});

it("asks again in a later turn", async () => {
  const { asked, want } = batch();
  await want("a");
  await want("a");
  expect(asked).toEqual([["a"], ["a"]]);
});

it("fails for all who wait, and for them alone", async () => {
  let isFailing = true;
  const failing = new Batch(async (keys) => {
    if (isFailing) throw new Error("away");
    return keys;
  });
  const outcomes = await Promise.allSettled([failing.want("a"), failing.want("b")]);
  expect(outcomes.map(({ status }) => status)).toEqual(["rejected", "rejected"]);
  isFailing = false;
  expect(await failing.want("a")).toBe("a");
});
