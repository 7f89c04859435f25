import { expect, test, vi } from "vitest";
import { leaveTo } from "./leave.ts";
import { returningTo, returnPath } from "./return-path.ts";

const ELSEWHERE = [
  "//evil.example/login",
  "///evil.example",
  "/\\evil.example",
  "\\\\evil.example",
  "/\t/evil.example",
  "/\n\\evil.example",
  "https://evil.example",
  "https:evil.example",
  "javascript:alert(1)",
  "//",
  "evil.example",
  "",
];
const HERE = [
  "/",
  "/dashboard?show=no-tag#top",
  "/%2fevil.example",
  "/%5Cevil.example",
  "/x//evil.example",
  "/a/5//evil.example",
  "/ü",
];

test.each(ELSEWHERE)("%j is no path of this site: it is neither opened nor returned to", (path) => {
  const assign = vi.spyOn(location, "assign").mockReturnValue();
  expect([leaveTo(path), returnPath(new URL(returningTo(path), location.origin).search)]).toEqual([false, null]);
  expect(assign).not.toHaveBeenCalled();
});

test.each(HERE)("%j is a path of this site", (path) => {
  const assign = vi.spyOn(location, "assign").mockReturnValue();
  expect([leaveTo(path), returnPath(new URL(returningTo(path), location.origin).search)]).toEqual([true, path]);
  expect(assign).toHaveBeenCalledWith(path);
});
