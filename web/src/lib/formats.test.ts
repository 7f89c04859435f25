import { expect, test } from "vitest";
import { FORMATTED } from "./testing/formatted.ts";

test("money, numbers and dates read as in each browser", () => {
  expect(FORMATTED.map(({ shown }) => shown)).toEqual(FORMATTED.map(({ expected }) => expected));
});
