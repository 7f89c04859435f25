import { expect, it } from "vitest";
import { lookalikeReport } from "./lookalike-report.ts";

const QUERY =
  "To read the names: SELECT id, username FROM users WHERE username_lookalike_key IS NULL";

it("is empty if no names look alike", () => {
  expect(lookalikeReport([])).toEqual([]);
});

it("names both users of each pair by their ids", () => {
  const lookalikes = [
    { userId: 7, keyHolderId: 3 },
    { userId: 9, keyHolderId: 3 },
  ];
  expect(lookalikeReport(lookalikes)).toEqual([
    "User names that look like another user's: 2. Both users keep their names.",
    "  user 7 looks like user 3",
    "  user 9 looks like user 3",
    QUERY,
  ]);
});

it("lists 50 pairs and counts the others", () => {
  const lookalikes = Array.from({ length: 52 }, (_, i) => ({ userId: i + 2, keyHolderId: 1 }));
  const lines = lookalikeReport(lookalikes);
  expect(lines).toHaveLength(53);
  expect(lines.slice(-3)).toEqual(["  user 51 looks like user 1", "  and 2 more", QUERY]);
});
