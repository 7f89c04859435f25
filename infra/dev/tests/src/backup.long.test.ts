import { existsSync, readdirSync } from "node:fs";
import { chmod, mkdir, mkdtemp, readdir, rm, stat, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { migrate } from "@tapthru/postgres/migrate";
import { seed } from "@tapthru/postgres/seed";
import { withClient } from "@tapthru/postgres/with-client";
import { freePort } from "@tapthru/runtime/testing/free-port";
import { findOnPath } from "@tapthru/stack/programs/on-path";
import { CHECKOUT } from "@tapthru/stack/stack/settings";
import { skipWithout } from "@tapthru/stack/testing/skip-tests";
import { execa } from "execa";
import { afterAll, beforeAll, expect, it, vi } from "vitest";

/** pg_dump refuses a newer server, so the test starts the server of the same package. */
const PROGRAMS = findPrograms();
skipWithout("pg_dump", PROGRAMS === null);

const ACCOUNT = { firebaseUid: "uid-1", email: "a\tb\\c@t.example", username: "Zoë 😀" };

let folder: string;
let stopServer: () => Promise<unknown>;
let port: number;

beforeAll(async () => {
  if (PROGRAMS === null) return;
  folder = await mkdtemp(join(tmpdir(), "tapthru-backup-"));
  port = await freePort();
  const cluster = join(folder, "cluster");
  // initdb refuses to run as root.
  const user = process.getuid?.() === 0 ? await ownerOfCluster(cluster) : {};
  const initdb = ["-D", cluster, "-U", "tapthru", "--encoding=UTF8", "--no-locale", "--no-sync"];
  await execa(join(PROGRAMS, "initdb"), initdb, { cwd: "/", ...user });
  const options = ["-D", cluster, "-p", String(port), "-h", "127.0.0.1", "-k", "", "-F"];
  const server = execa(join(PROGRAMS, "postgres"), options, { cwd: "/", reject: false, ...user });
  stopServer = () => {
    server.kill("SIGINT");
    return server;
  };
  await vi.waitFor(() => run("postgres", "SELECT 1"), { timeout: 30_000 });
  await run("postgres", "CREATE DATABASE source");
  await migrate({ databaseUrl: urlOf("source") });
  await seed(urlOf("source"), "http://localhost:8080", ACCOUNT);
  await run("source", "SELECT create_click_partitions('2024-02-01')");
  await run(
    "source",
    `INSERT INTO clicks SELECT id, '2024-02-29', '{"p": "3:2"}', '\\x010203' FROM links`,
  );
}, 120_000);

afterAll(async () => {
  if (PROGRAMS === null) return;
  await stopServer();
  await rm(folder, { recursive: true });
});

it("restores every row but those of the outbox", async () => {
  const dumps = await backUp("source");
  expect(dumps).toHaveLength(1);
  await run("postgres", "CREATE DATABASE target");
  const dump = join(folder, "backups", dumps[0] ?? "");
  const options = ["--exit-on-error", "--single-transaction", "--dbname", urlOf("target")];
  await execa(join(PROGRAMS ?? "", "pg_restore"), [...options, dump]);
  await migrate({ databaseUrl: urlOf("target") });

  const source = await contents("source");
  expect(source.get("links")?.length).toBeGreaterThan(5);
  expect(source.get("link_changes")?.length).toBeGreaterThan(0);
  expect(await contents("target")).toEqual(source.set("link_changes", []));
});

it("lets only its owner read a dump, and keeps only the newest ones", async () => {
  const oldest = "tapthru-2020-01-01T000000Z.dump";
  await writeFile(join(folder, "backups", oldest), "");
  const [dump = ""] = await backUp("source", { BACKUP_KEEP: "1" });
  expect(dump).not.toBe(oldest);
  expect((await stat(join(folder, "backups", dump))).mode & 0o077).toBe(0);
});

it("fails and leaves no file if there is no such database", async () => {
  const before = await readdir(join(folder, "backups"));
  await expect(backUp("missing")).rejects.toThrow('database "missing" does not exist');
  expect(await readdir(join(folder, "backups"))).toEqual(before);
});

/** @returns the names of all dumps */
async function backUp(database: string, settings: Record<string, string> = {}): Promise<string[]> {
  const backups = join(folder, "backups");
  await mkdir(backups, { recursive: true });
  const connection = { PGHOST: "127.0.0.1", PGPORT: String(port), PGUSER: "tapthru" };
  const env = { ...connection, PGDATABASE: database, BACKUP_DIR: backups, BACKUP_KEEP: "9" };
  const PATH = `${PROGRAMS}:${process.env.PATH}`;
  const script = join(CHECKOUT, "compose", "backup.sh");
  await execa("sh", [script, "now"], { env: { ...env, PATH, ...settings } });
  return (await readdir(backups)).toSorted();
}

async function contents(database: string): Promise<Map<string, unknown[]>> {
  const tables = await run(
    database,
    "SELECT tablename AS name FROM pg_tables WHERE schemaname = 'public' ORDER BY name",
  );
  const rows = new Map<string, unknown[]>();
  for (const { name = "" } of tables) {
    rows.set(name, await run(database, `SELECT * FROM ${name} AS t ORDER BY t::text`));
  }
  return rows;
}

function run(database: string, statement: string): Promise<Record<string, string>[]> {
  return withClient(urlOf(database), async (client) => (await client.query(statement)).rows);
}

function urlOf(database: string): string {
  return `postgres://tapthru@127.0.0.1:${port}/${database}`;
}

/** The folder with pg_dump and the server of its version; Debian keeps them off the PATH. */
function findPrograms(): string | null {
  const versions = "/usr/lib/postgresql";
  const debian = existsSync(versions)
    ? readdirSync(versions).map((name) => join(versions, name, "bin"))
    : [];
  const onPath = findOnPath("pg_dump");
  const folders = [...debian, ...(onPath === null ? [] : [join(onPath, "..")])];
  return (
    folders.find((bin) => ["initdb", "pg_dump"].every((name) => existsSync(join(bin, name)))) ??
    null
  );
}

async function ownerOfCluster(cluster: string): Promise<{ uid: number; gid: number }> {
  const id = async (option: string) => Number((await execa("id", [option, "nobody"])).stdout);
  const [uid, gid] = await Promise.all([id("-u"), id("-g")]);
  await mkdir(cluster);
  await chmod(folder, 0o755);
  await execa("chown", [`${uid}:${gid}`, cluster]);
  return { uid, gid };
}
