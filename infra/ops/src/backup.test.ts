import { mkdtemp, readdir, rm, stat, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { gzipSync } from "node:zlib";
import { UserFacingError } from "@tapthru/local/user-facing-error";
import { seed } from "@tapthru/postgres/seed";
import {
  createThrowawayDatabase,
  type ThrowawayDatabase,
} from "@tapthru/postgres/testing/throwaway-database";
import { withClient } from "@tapthru/postgres/with-client";
import pg from "pg";
import { afterAll, beforeAll, expect, it } from "vitest";
import { backUp } from "./backup.ts";
import { manifestFile, rowsFile } from "./manifest.ts";
import { restore } from "./restore.ts";
import { BACKED_UP_TABLES } from "./tables.ts";

const server = process.env.TEST_DATABASE_URL ?? "";
const ACCOUNT = { firebaseUid: "uid-1", email: "a\tb\\c@t.example", username: "Zoë 😀" };

let source: ThrowawayDatabase;
let target: ThrowawayDatabase;
let directory: string;
let folder: string;

beforeAll(async () => {
  [source, target] = await Promise.all([
    createThrowawayDatabase(server),
    createThrowawayDatabase(server),
  ]);
  directory = await mkdtemp(join(tmpdir(), "tapthru-backup-"));
  folder = join(directory, "backup");
  await seed(source.url, "http://localhost:8080", ACCOUNT);
  await run(source, "INSERT INTO retired_codes VALUES ('aaaaaaa', 'deleted', 3)");
  await run(
    source,
    `SELECT create_click_partitions('2024-02-01');
     INSERT INTO clicks SELECT id, '2024-02-29', '{"p": "3:2"}', '\\x010203' FROM links;
     INSERT INTO monthly_clicks SELECT id, '2024-02-01', '{"p": "3:2"}', '{"29": 1}' FROM links`,
  );
  await run(source, "DELETE FROM links WHERE short_code = 'dem2222'");
  // The name by which a link is sorted then comes from its product.
  await run(source, "UPDATE products SET title = 'A lamp'; UPDATE links SET product_revision = 1");
});

afterAll(async () => {
  await Promise.all([source.drop(), target.drop(), rm(directory, { recursive: true })]);
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

it("rejects a database with an unknown table", async () => {
  await run(source, "CREATE TABLE visits ()");
  await expect(backUp(source.url, folder)).rejects.toThrow("unknown to the backup: visits");
  await run(source, "DROP TABLE visits");
  expect(await readdir(directory)).toEqual([]);
});

it("is readable only by its owner", async () => {
  await backUp(source.url, folder);
  const files = (await readdir(folder)).map((name) => join(folder, name));
  const modes = await Promise.all([folder, ...files].map(async (file) => (await stat(file)).mode));
  expect(files).toHaveLength(BACKED_UP_TABLES.length + 1);
  expect(modes.map((mode) => mode & 0o077)).toEqual(modes.map(() => 0));
});

it("never overwrites a backup", async () => {
  await expect(backUp(source.url, folder)).rejects.toThrow("must not exist yet");
});

it("leaves the database unchanged if the backup is incomplete", async () => {
  const incomplete = join(directory, "incomplete");
  await backUp(source.url, incomplete);
  await writeFile(rowsFile(incomplete, "retired_codes"), gzipSync(""));
  await expect(restore(target.url, incomplete)).rejects.toThrow(
    "0 rows of retired_codes instead of 1",
  );
  await rm(manifestFile(incomplete));
  await expect(restore(target.url, incomplete)).rejects.toThrow("no complete backup");
  expect((await contents(target)).links).toEqual([]);
});

it("rejects a backup with an unknown table, and leaves the database unchanged", async () => {
  const newer = join(directory, "newer");
  const manifest = await backUp(source.url, newer);
  const tables = { ...manifest.tables, visits: { columns: ["id"], rows: 1 } };
  await writeFile(manifestFile(newer), JSON.stringify({ ...manifest, tables }));

  const restoring = restore(target.url, newer);

  await expect(restoring).rejects.toThrow(UserFacingError);
  await expect(restoring).rejects.toThrow("unknown to this release: visits");
  expect((await contents(target)).links).toEqual([]);
});

it.each(["tapthru_api", "tapthru_worker", "tapthru_redirect"] as const)(
  "rejects a database to which a service with the rights of %s is connected",
  async (group) => {
    const used = await createThrowawayDatabase(server);
    const service = new pg.Client({ connectionString: await used.urlAs(group) });
    await service.connect();
    await expect(restore(used.url, folder)).rejects.toThrow("Services are using this database");
    expect((await contents(used)).links).toEqual([]);
    await service.end();
    await used.drop();
  },
);

it("restores the schema, every row and the sequences", async () => {
  await run(target, "DROP SCHEMA public CASCADE; CREATE SCHEMA public");
  await restore(target.url, folder);
  const before = await contents(source);
  expect(before.links?.length).toBeGreaterThan(5);
  expect(before.clicks?.length).toBeGreaterThan(5);
  expect(await contents(target)).toEqual(before);
  const next = "SELECT nextval(pg_get_serial_sequence('links', 'id'))";
  expect((await run(target, next)).rows).toEqual((await run(source, next)).rows);
});

it("rejects a database that is not empty, and leaves its schema unchanged", async () => {
  const migrations = "SELECT name FROM schema_migrations";
  await run(
    target,
    `DELETE FROM schema_migrations WHERE name = (${migrations} ORDER BY id DESC LIMIT 1)`,
  );
  const before = (await run(target, migrations)).rows;
  await expect(restore(target.url, folder)).rejects.toThrow("not empty: users has rows");
  expect((await run(target, migrations)).rows).toEqual(before);
});
