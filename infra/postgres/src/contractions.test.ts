import { readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { expect, it } from "vitest";
import { MIGRATIONS } from "./migrate.ts";
import { NEXT_RELEASE } from "./testing/template-database.ts";

/** Statements that remove something that an older release uses, or require something that it does not provide. */
const CONTRACTIONS: readonly RegExp[] = [
  /\bDROP\s+(?!CONSTRAINT|DEFAULT|NOT\s+NULL|INDEX|IDENTITY|EXPRESSION)\w+/gi,
  /\bRENAME\b/gi,
  /\bREVOKE\b(?! ALL ON FUNCTION [\w, ]+ FROM PUBLIC)/gi,
  /\bALTER\s+(?:COLUMN\s+)?\w+\s+(?:SET\s+DATA\s+)?TYPE\b/gi,
  /\bSET\s+NOT\s+NULL\b/gi,
  /\bADD\s+(?:COLUMN\s+)?(?!CONSTRAINT\b)\w+\s[^,;]*\bNOT\s+NULL\b(?![^,;]*\bDEFAULT\b)/gi,
  /\bADD\s+CONSTRAINT\b/gi,
  // With the id all rows differ.
  /\bCREATE\s+UNIQUE\s+INDEX\b(?![^(]*\(id,)/gi,
];

/**
 * The statements of a migration, without the bodies of its functions, that may break the previous release. Such a
 * migration is released after the release that stopped using what it removes, and declares it in its first line. Unique
 * indexes of tables that the migration creates are left out.
 */
function findContractions(sql: string): string[] {
  const statements = sql.replaceAll(/--.*$/gm, "").replaceAll(/\bAS \$\$.*?\$\$/gs, "");
  const newTables = new Set([...statements.matchAll(/\bCREATE\s+TABLE\s+(\w+)/gi)].map(([, table]) => table));
  const code = statements.replaceAll(/\bCREATE\s+UNIQUE\s+INDEX\s+\w+\s+ON\s+(\w+)/gi, (statement, table) =>
    newTables.has(table) ? "" : statement,
  );
  return CONTRACTIONS.flatMap((pattern) => [...code.matchAll(pattern)].map(([found]) => found));
}

/** Whether the first line of a migration names the migration since which the removed object is unused. */
function isDeclaredContraction(sql: string): boolean {
  return /^-- contract: unused since \d{4}\b/.test(sql);
}

const read = (name: string) => readFileSync(join(MIGRATIONS, name), "utf8");
const LATER = readdirSync(MIGRATIONS)
  .sort()
  .filter((name) => name > "0001-first-release.sql")
  .map((name) => [name, read(name)] as const);

it("each migration is compatible with the previous release", () => {
  for (const [name, sql] of LATER) {
    expect([name, isDeclaredContraction(sql) ? [] : findContractions(sql)]).toEqual([name, []]);
  }
});

it("what the next release removes names the migration since which it is unused", () => {
  const files = readdirSync(NEXT_RELEASE).filter((name) => name.endsWith(".sql"));
  const undeclared = files.filter((name) => !isDeclaredContraction(readFileSync(join(NEXT_RELEASE, name), "utf8")));
  expect(undeclared).toEqual([]);
});

/**
 * Whether a migration changes `links` or `link_codes` and creates an index on one of them: then the lock of the change is held
 * while the index is created, and no link opens.
 */
function locksLinksForLong(sql: string): boolean {
  const code = sql.replaceAll(/--.*$/gm, "");
  return (
    /\bALTER\s+TABLE\s+(ONLY\s+)?(links|link_codes)\b/i.test(code) &&
    /\bCREATE\s+(UNIQUE\s+)?INDEX\s[^;]*\bON\s+(links|link_codes)\b/i.test(code)
  );
}

it("no migration changes links and creates an index on them in one transaction", () => {
  expect(LATER.filter(([, sql]) => locksLinksForLong(sql)).map(([name]) => name)).toEqual([]);
});

it.each([
  ["ALTER TABLE links ADD a text;\nCREATE INDEX a_idx ON links (a);", true],
  ["ALTER TABLE link_codes ADD a text;\nCREATE UNIQUE INDEX a_idx\n  ON link_codes (a);", true],
  ["ALTER TABLE links ADD a text;\nCREATE INDEX a_idx ON users (a);", false],
  ["CREATE INDEX a_idx ON links (a); -- ALTER TABLE links", false],
])("%j locks links for long: %s", (sql, does) => {
  expect(locksLinksForLong(sql)).toBe(does);
});

it.each([
  "ALTER TABLE links DROP note;",
  "DROP TABLE notes;",
  "ALTER TABLE links RENAME note TO remark;",
  "ALTER TABLE links ALTER note TYPE integer;",
  "ALTER TABLE links ALTER note SET NOT NULL;",
  "ALTER TABLE links ADD note text NOT NULL;",
  "ALTER TABLE links ADD CONSTRAINT short CHECK (note < 'b') NOT VALID;",
  "CREATE UNIQUE INDEX links_note_idx ON links (note);",
])("finds that %s may break the previous release", (sql) => {
  expect(findContractions(sql)).toHaveLength(1);
});

it.each([
  "ALTER TABLE links ADD note text;",
  "ALTER TABLE links ADD note text NOT NULL DEFAULT '', ADD b int;",
  "ALTER TABLE links ALTER note DROP NOT NULL, DROP CONSTRAINT short;",
  "CREATE TABLE notes (id int NOT NULL, type text NOT NULL); -- DROP TABLE notes",
  "CREATE TABLE notes (id int); CREATE UNIQUE INDEX notes_id_key ON notes (id);",
  "CREATE UNIQUE INDEX CONCURRENTLY notes_id_at_idx ON notes (id, at);",
  "REVOKE ALL ON FUNCTION drop_notes, add_notes FROM PUBLIC;",
  "CREATE FUNCTION drop_notes() RETURNS void AS $$ DROP TABLE notes $$ LANGUAGE sql;",
])("accepts %s", (sql) => {
  expect(findContractions(sql)).toEqual([]);
});

it("accepts a contraction that names the migration since which the object is unused", () => {
  expect(isDeclaredContraction("-- contract: unused since 0017\nALTER TABLE links DROP note;")).toBe(true);
  expect(isDeclaredContraction("-- Unused.\nALTER TABLE links DROP note;")).toBe(false);
});
