import { existsSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { expect, test } from "vitest";

const CHECKOUT = join(import.meta.dirname, "..");
const read = (path: string) => readFileSync(join(CHECKOUT, path), "utf8");

/** A row's last two cells: the files that hold the sentence, and tests by their titles. */
const rows = read("docs/specification.md")
  .split("\n")
  .filter((line) => /^\| .*`/.test(line))
  .map((line) => line.split(" | ").slice(-2) as [files: string, tests: string]);

const pathsIn = (cell: string) => [...cell.matchAll(/`([^`]+)`/g)].map(([, path = ""]) => path);

/** Titles of a file follow its name, each in quotes. */
function testsIn(cell: string): { path: string; title: string }[] {
  return cell.split(/; (?=`)/).flatMap((tests) => {
    const [path = ""] = pathsIn(tests);
    const titles = [...tests.matchAll(/(?:` |, )"(.+?)"(?=, "|$| \|$)/g)];
    return titles.map(([, title = ""]) => ({ path, title }));
  });
}

test("each sentence has files, and tests that may see it", () => {
  expect(rows.length).toBeGreaterThan(90);
  for (const [files, tests] of rows) {
    expect(pathsIn(files), files).not.toEqual([]);
    expect(pathsIn(tests), files).not.toEqual([]);
    expect(
      testsIn(tests).map(({ path }) => path),
      tests,
    ).toEqual(expect.arrayContaining(pathsIn(tests)));
  }
});

test("each file that is named is there", () => {
  const paths = rows.flat().flatMap(pathsIn);
  expect(paths.filter((path) => !existsSync(join(CHECKOUT, path)))).toEqual([]);
});

test("each test that is named is there under its title", () => {
  const named = rows.flatMap(([, tests]) => testsIn(tests));
  const isMissing = ({ path, title }: { path: string; title: string }) =>
    !['"', "`"].some((quote) => read(path).includes(`${quote}${title}${quote}`));
  expect(named.filter(isMissing)).toEqual([]);
});
