import { expect, it } from "vitest";
import { replaceMarked } from "./replace-marked.ts";

const PAGE = `Before.

<!-- a -->
old
<!-- end of a -->

Between.

<!-- b -->
stays
<!-- end of b -->
`;

it("replaces the text between the marks and keeps everything else", () => {
  expect(replaceMarked(PAGE, "a", () => "new")).toBe(PAGE.replace("old", "new"));
});

it("passes on the previous text", () => {
  expect(replaceMarked(PAGE, "b", (previous) => previous.trim().repeat(2))).toBe(
    PAGE.replace("stays", "staysstays"),
  );
});

it("throws without the marks", () => {
  expect(() => replaceMarked("", "a", () => "")).toThrow("has no <!-- a -->");
});
