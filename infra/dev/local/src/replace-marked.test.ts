import { expect, it } from "vitest";
import { replaceMarkedText } from "./replace-marked.ts";

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
  expect(replaceMarkedText(PAGE, "a", () => "new")).toBe(PAGE.replace("old", "new"));
});

it("passes on the previous text", () => {
  expect(replaceMarkedText(PAGE, "b", (previous) => previous.trim().repeat(2))).toBe(
    PAGE.replace("stays", "staysstays"),
  );
});

it("throws without the marks", () => {
  expect(() => replaceMarkedText("", "a", () => "")).toThrow("has no <!-- a -->");
});
