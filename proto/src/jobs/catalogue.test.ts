import { expect, it } from "vitest";
import { readPriority } from "./catalogue.ts";

it("puts every read of a member before every anonymous one, and new links before refreshes", () => {
  const priorities = [
    readPriority("member", 0),
    readPriority("member", 1),
    readPriority("member", 1e9),
    readPriority("member-refresh"),
    readPriority("anonymous", 0),
    readPriority("anonymous", 1e9),
    readPriority("anonymous-refresh"),
  ];
  expect(priorities).toEqual(priorities.toSorted((a, b) => a - b));
  expect(new Set(priorities).size).toBe(priorities.length);
});

it("stays within BullMQ's limit", () => {
  expect(readPriority("member", 0)).toBe(1);
  expect(readPriority("anonymous-refresh", 1e9)).toBeLessThan(2 ** 21);
});
