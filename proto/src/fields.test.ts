import { expect, it } from "vitest";
import * as z from "zod/mini";
import { keyName, labelName, username } from "./fields.ts";
import { OWNER_TEXTS } from "./owner-fields.ts";

it.each([
  ...Object.entries(OWNER_TEXTS).map(([name, { input }]) => [name, input] as [string, z.ZodMiniType<string>]),
  ["name of an API key", keyName],
  ["label", labelName],
  ["username", username],
])("a %s is stored without text direction controls", (_, field) => {
  expect(z.parse(field, " \u200eLamp \u202egpj.exe\u202c ")).toBe("Lamp gpj.exe");
  expect(z.safeParse(field, "\u202e\u2066\u200f").success).toBe(false);
});
