import { mkdtemp, readdir, rm, stat, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { gzipSync } from "node:zlib";
import { seed } from "@tapthru/postgres/seed";
import {
  createThrowawayDatabase,
  type ThrowawayDatabase,
} from "@tapthru/postgres/testing/throwaway-database";
import { withClient } from "@tapthru/postgres/with-client";
import { afterAll, beforeAll, expect, it } from "vitest";
import { backUp } from "./backup.ts";
import { manifestFile, rowsFile } from "./manifest.ts";
import { restore } from "./restore.ts";
import { BACKED_UP_TABLES } from "./tables.ts";

const server = process.env.TEST_DATABASE_URL ?? "";
const ACCOUNT = { firebaseUid: "uid-1", email: "a\tb\\c@t.example", username: "Zoë 😀" };

let full: ThrowawayDatabase;
let empty: ThrowawayDatabase;
let home: string;
let folder: string;

beforeAll(async () => {
  [full, empty] = await Promise.all([
    createThrowawayDatabase(server),
    createThrowawayDatabase(server),
  ]);
  home = await mkdtemp(join(tmpdir(), "tapthru-backup-"));
  folder = join(home, "backup");
  await seed(full.url, "http://localhost:8080", ACCOUNT);
  await run(full, "INSERT INTO retired_codes VALUES ('aaaaaaa', 'deleted', 3)");
  await run(full, "DELETE FROM links WHERE short_code = 'dem2222'");
});

afterAll(async () => {
  await Promise.all([full.drop(), empty.drop(), rm(home, { recursive: true })]);
});

function run(database: ThrowawayDatabase, sql: string) {
  return withClient(database.url, (client) => client.query(sql));
}

async function contents(database: ThrowawayDatabase): Promise<Record<string, unknown[]>> {
  const tables = BACKED_UP_TABLES.map(async (table): Promise<[string, unknown[]]> => {
    const { rows } = await run(database, `SELECT * FROM ${table} AS t ORDER BY t::text`);
    return [table, rows];
  });
  return Object.fromEntries(await Promise.all(tables));
}

it("refuses a database with a table that it would forget", async () => {
  await run(full, "CREATE TABLE clicks ()");
  await expect(backUp(full.url, folder)).rejects.toThrow("does not know of clicks");
  await run(full, "DROP TABLE clicks");
  await rm(folder, { recursive: true });
});

it("is readable by its owner alone", async () => {
  await backUp(full.url, folder);
  const files = (await readdir(folder)).map((name) => join(folder, name));
  const modes = await Promise.all([folder, ...files].map(async (file) => (await stat(file)).mode));
  expect(files).toHaveLength(BACKED_UP_TABLES.length + 1);
  expect(modes.map((mode) => mode & 0o077)).toEqual(modes.map(() => 0));
});

it("never writes over a backup", async () => {
  await expect(backUp(full.url, folder)).rejects.toThrow("needs a new folder");
});

it("leaves a database as it was when a backup is torn", async () => {
  const torn = join(home, "torn");
  await backUp(full.url, torn);
  await writeFile(rowsFile(torn, "retired_codes"), gzipSync(""));
  await expect(restore(empty.url, torn)).rejects.toThrow("0 rows of retired_codes instead of 1");
  await rm(manifestFile(torn));
  await expect(restore(empty.url, torn)).rejects.toThrow("no whole backup");
  expect((await contents(empty)).links).toEqual([]);
});

it("brings the schema and every row back, and gives no number out twice", async () => {
  await run(empty, "DROP SCHEMA public CASCADE; CREATE SCHEMA public");
  await restore(empty.url, folder);
  const before = await contents(full);
  expect(before.links?.length).toBeGreaterThan(5);
  expect(await contents(empty)).toEqual(before);
  const next = "SELECT nextval(pg_get_serial_sequence('links', 'id'))";
  expect((await run(empty, next)).rows).toEqual((await run(full, next)).rows);
});

it("refuses a database that holds something, and leaves its schema as it is", async () => {
  const migrations = "SELECT name FROM schema_migrations";
  await run(
    empty,
    `DELETE FROM schema_migrations WHERE name = (${migrations} ORDER BY id DESC LIMIT 1)`,
  );
  const before = (await run(empty, migrations)).rows;
  await expect(restore(empty.url, folder)).rejects.toThrow("not empty: there are users");
  expect((await run(empty, migrations)).rows).toEqual(before);
});
