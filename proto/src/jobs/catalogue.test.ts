import { expect, it } from "vitest";
import { JOBS, readPriority } from "./catalogue.ts";
import type { JobCatalogue } from "./definition.ts";

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

it("no user decides how long a queue is", () => {
  const unbounded = Object.entries<JobCatalogue[string]>(JOBS).filter(([, { maxAhead }]) => maxAhead === undefined);
  // An address gets few emails of a kind in an hour, and a network address asks for few.
  expect(unbounded.map(([name]) => name)).toEqual(["send-email"]);
});

it("stays within BullMQ's limit", () => {
  expect(readPriority("member", 0)).toBe(1);
  expect(readPriority("anonymous-refresh", 1e9)).toBeLessThan(2 ** 21);
});
