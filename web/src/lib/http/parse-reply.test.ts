import { expect, test } from "vitest";
import { isStaleAfter } from "./parse-reply.ts";

test.each([
  ["PATCH /api/labels/:id", "/api/labels", true],
  ["PATCH /api/labels/:id", "/api/links", true],
  ["PATCH /api/labels/:id", "/api/keys", false],
  ["PATCH /api/channels/:id", "/api/earnings", true],
  ["PATCH /api/channels/:id", "/version.txt", false],
  ["POST /api/auth/passkeys", "/api/auth/passkeys", true],
  ["PATCH /api/links/:shortCode", "/api/activity", true],
])("%s makes %s stale: %s", (name, query, isStale) => {
  expect(isStaleAfter(name, query)).toBe(isStale);
});
