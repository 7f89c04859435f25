import { existsSync, globSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { expect, test } from "vitest";

const CHECKOUT = join(import.meta.dirname, "..");
const read = (path: string) => readFileSync(join(CHECKOUT, path), "utf8");

const pathsIn = (cell: string) => [...cell.matchAll(/`([^`]+)`/g)].map(([, path = ""]) => path);

const entries = read("docs/specification.md")
  .split("\n")
  .filter((line) => /^\| \d+\.\d+ \|/.test(line))
  .map((line) => {
    const cells = line.slice(2, -2).split(" | ");
    const [files = "", tests = ""] = cells.slice(-2);
    return { id: cells[0] ?? "", files: pathsIn(files), tests: pathsIn(tests) };
  });

/** A comment that names specification entries, and whether a test follows it. */
const ANNOTATION = /^ *\/\/ Specification ([\d., ]+)\n *(\w*test|it)?\b/gim;

/** The specification entries that the tests of a file cover, as `path id`. */
function coveredBy(path: string): string[] {
  return [...read(path).matchAll(ANNOTATION)].flatMap(([comment, ids = "", isTest]) => {
    expect(isTest, `${path}: ${comment}`).toBeDefined();
    return ids.split(", ").map((id) => `${path} ${id}`);
  });
}

test("each entry has a unique number, files and tests", () => {
  expect(entries.length).toBeGreaterThan(90);
  expect(new Set(entries.map(({ id }) => id)).size).toBe(entries.length);
  for (const { id, files, tests } of entries) {
    expect(files, id).not.toEqual([]);
    expect(tests, id).not.toEqual([]);
  }
});

test("each listed file exists", () => {
  const paths = entries.flatMap(({ files, tests }) => [...files, ...tests]);
  expect(paths.filter((path) => !existsSync(join(CHECKOUT, path)))).toEqual([]);
});

test("the tests annotated with an entry are those listed in the document", () => {
  const listed = entries.flatMap(({ id, tests }) => tests.map((path) => `${path} ${id}`));
  const files = globSync("{proto,services,web}/**/*.{test,spec}.{ts,tsx}", {
    cwd: CHECKOUT,
    exclude: ["**/node_modules"],
  });
  expect([...new Set(files.flatMap(coveredBy))].sort()).toEqual(listed.sort());
});
