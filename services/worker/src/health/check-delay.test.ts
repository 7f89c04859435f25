import { describe, expect, it } from "vitest";
import { checkDelay } from "./check-delay.ts";

const HOUR_MS = 3_600_000;
const QUIET = { isSuspected: false, hasNewLink: false, hasClicks: false };

describe("the next check of a page", () => {
  it.each([
    ["a week later", QUIET, 7 * 24],
    ["a day later if a link to it is new", { ...QUIET, hasNewLink: true }, 24],
    ["a day later if a link to it is clicked", { ...QUIET, hasClicks: true }, 24],
    [
      "seven hours later if the last check found something new",
      { isSuspected: true, hasNewLink: true, hasClicks: true },
      7,
    ],
  ])("is %s, and up to a fifth more", (_, activity, hours) => {
    expect(checkDelay(activity, 0)).toBe(hours * HOUR_MS);
    expect(checkDelay(activity, 1)).toBe(Math.round(hours * 1.2 * HOUR_MS));
  });
});
