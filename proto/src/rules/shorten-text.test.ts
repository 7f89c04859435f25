import { expect, it } from "vitest";
import { shortenText } from "./shorten-text.ts";

it.each([
  ["tapthru.example/l/abc2345", 30, "tapthru.example/l/abc2345"],
  ["123456", 6, "123456"],
  ["1234567", 6, "123456..."],
  ["", 3, ""],
  ["ab🔥🔥", 3, "ab🔥..."],
])("shortens %j to %i characters: %j", (text, maxLength, short) => {
  expect(shortenText(text, maxLength)).toBe(short);
});
