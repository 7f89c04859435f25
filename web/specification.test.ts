import { existsSync, globSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { expect, test } from "vitest";

const CHECKOUT = join(import.meta.dirname, "..");
const read = (path: string) => readFileSync(join(CHECKOUT, path), "utf8");

const pathsIn = (cell: string) => [...cell.matchAll(/`([^`]+)`/g)].map(([, path = ""]) => path);

const requirements = read("docs/specification.md")
  .split("\n")
  .filter((line) => /^\| \d+\.\d+ \|/.test(line))
  .map((line) => {
    const cells = line.slice(2, -2).split(" | ");
    const [files = "", tests = ""] = cells.slice(-2);
    return { id: cells[0] ?? "", files: pathsIn(files), tests: pathsIn(tests) };
  });

/** A comment that names sentences, and whether a test follows it. */
const ANNOTATION = /^ *\/\/ Specification ([\d., ]+)\n *(\w*test|it)?\b/gim;

/** The sentences that the tests of a file show, as `path id`. */
function shownBy(path: string): string[] {
  return [...read(path).matchAll(ANNOTATION)].flatMap(([comment, ids = "", isTest]) => {
    expect(isTest, `${path}: ${comment}`).toBeDefined();
    return ids.split(", ").map((id) => `${path} ${id}`);
  });
}

test("each sentence has a number of its own, files and tests", () => {
  expect(requirements.length).toBeGreaterThan(90);
  expect(new Set(requirements.map(({ id }) => id)).size).toBe(requirements.length);
  for (const { id, files, tests } of requirements) {
    expect(files, id).not.toEqual([]);
    expect(tests, id).not.toEqual([]);
  }
});

test("each file that is named exists", () => {
  const paths = requirements.flatMap(({ files, tests }) => [...files, ...tests]);
  expect(paths.filter((path) => !existsSync(join(CHECKOUT, path)))).toEqual([]);
});

test("the tests that name a sentence are those that the page lists", () => {
  const listed = requirements.flatMap(({ id, tests }) => tests.map((path) => `${path} ${id}`));
  const files = globSync("{proto,services,web}/**/*.{test,spec}.{ts,tsx}", {
    cwd: CHECKOUT,
    exclude: ["**/node_modules"],
  });
  expect([...new Set(files.flatMap(shownBy))].sort()).toEqual(listed.sort());
});
