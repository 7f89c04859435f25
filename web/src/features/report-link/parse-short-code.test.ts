import { expect, test } from "vitest";
import { parseShortCode } from "./report-form.tsx";

test.each([
  ["abc2345", "abc2345"],
  ["  ABC2345 ", "abc2345"],
  ["https://go.example/l/abc2345", "abc2345"],
  ["go.example/l/abc2345", "abc2345"],
  ["HTTPS://GO.EXAMPLE/l/ABC2345?utm_source=x#y", "abc2345"],
  ["https://go.example/l/abc2345/", "abc2345"],
  ["Look: https://go.example/l/abc2345", "abc2345"],
  ["https://other.example/l/abc2345", null],
  ["https://letgo.example/l/abc2345", null],
  ["https://not-go.example/l/abc2345", null],
  ["https://evil.go.example/l/abc2345", null],
  ["https://go.example/l/Summer-Lamps-2026?x", "summer-lamps-2026"],
  ["https://go.example/l/ab", null],
  ["https://go.example/l/summer--lamps", null],
  ["https://go.example/link/abc2345", null],
  ["https://www.amazon.com/dp/B000000001", null],
  ["abc2345 and more", null],
  ["", null],
])("%j has the code %j", (text, code) => {
  expect(parseShortCode(text, "go.example")).toBe(code);
});
