import { expect, test } from "vitest";
import { HttpError } from "./http-client.ts";
import { pollDelay } from "./query-presets.ts";

const ago = (seconds: number) => new Date(Date.now() - seconds * 1_000).toISOString();

test("progress is requested each second at first, and more slowly later", () => {
  expect(pollDelay(ago(2), null)).toBe(1_000);
  expect(Math.round(pollDelay(ago(30), null) / 100)).toBe(30);
  expect(pollDelay(ago(3_600), null)).toBe(5_000);
});

test("requests it later after a failure, and not before Retry-After has passed", () => {
  expect(pollDelay(ago(2), new Error("No response"))).toBe(10_000);
  expect(pollDelay(ago(2), new HttpError(429, "Too many requests", "too-many-requests", 60))).toBe(60_000);
});
