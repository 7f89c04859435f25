import { expect, it } from "vitest";
import { countReasons } from "./refusal-reasons.ts";

const line = (status: number, reason?: string) =>
  `${JSON.stringify({ event: "request_completed", status, reason })}\n`;

it("counts the reasons of 503 only", () => {
  const log = [line(503, "one"), line(503, "other"), line(201), line(200, "one"), line(503, "one")];
  expect(countReasons(`{"event":"service_started"}\n${log.join("")}`)).toBe("one: 2; other: 1");
});

it("says so if there are none", () => {
  expect(countReasons(line(201))).toBe("none");
});
