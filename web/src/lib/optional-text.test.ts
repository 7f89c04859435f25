import { expect, test } from "vitest";
import { firstMinute, lastDay } from "./optional-text.ts";

test.each([
  [lastDay, "20260-12-31", "The expiry date must be before December 31, 9999"],
  [firstMinute, "20260-12-31T10:00", "The start must be between 1970 and December 31, 9999"],
  [lastDay, "2099-12-31", undefined],
  [firstMinute, "", undefined],
])("a year of five digits is too far: %#", (schema, text, message) => {
  expect(schema.safeParse(text).error?.issues[0]?.message).toBe(message);
});
