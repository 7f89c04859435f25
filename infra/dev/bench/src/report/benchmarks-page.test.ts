import { expect, it } from "vitest";
import { replaceChapter } from "./benchmarks-page.ts";

const headings = (page: string) => page.split("\n").filter((line) => line.startsWith("#"));

it("appends a chapter after existing ones", () => {
  const previous = "# Benchmarks\n\nIntro.\n\n## The list\n\nBy hand.\n";
  const page = replaceChapter(previous, { subject: "The redirect", text: "Fast." });
  expect(headings(page)).toEqual(["# Benchmarks", "## The list", "## The redirect"]);
  expect(page).toContain("## The list\n\nBy hand.\n\n## The redirect\n\nFast.\n");
});

it("replaces a chapter with the same subject and keeps the others", () => {
  const one = replaceChapter("", { subject: "A", text: "old" });
  const both = replaceChapter(one, { subject: "B", text: "### Part\n\nstays" });
  const page = replaceChapter(both, { subject: "A", text: "new" });
  expect(page).toBe(both.replace("old", "new"));
});
