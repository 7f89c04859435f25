import { once } from "node:events";
import { existsSync, readdirSync } from "node:fs";
import { chmod, mkdir, mkdtemp, readdir, readFile, rm, stat, utimes, writeFile } from "node:fs/promises";
import { createServer } from "node:http";
import type { AddressInfo } from "node:net";
import { tmpdir } from "node:os";
import { basename, join } from "node:path";
import { buffer } from "node:stream/consumers";
import { startRedis } from "@tapthru/core/platform/testing/controlled-redis";
import { freePort } from "@tapthru/core/platform/testing/free-port";
import { withDatabase } from "@tapthru/postgres/testing/template-database";
import { createThrowawayDatabase, type ThrowawayDatabase } from "@tapthru/postgres/testing/throwaway-database";
import { withClient } from "@tapthru/postgres/with-client";
import { getClicks } from "@tapthru/proto/clicks";
import { createLink } from "@tapthru/proto/create-links";
import { listLinks } from "@tapthru/proto/link-lists";
import { findOnPath } from "@tapthru/stack/programs/on-path";
import { CHECKOUT } from "@tapthru/stack/stack/settings";
import { createApiKey, createSession } from "@tapthru/stack/testing/callers";
import { skipWithout } from "@tapthru/stack/testing/skip-tests";
import { execa } from "execa";
import { afterAll, beforeAll, describe, expect, it, onTestFinished, vi } from "vitest";
import { readText } from "./compose-file.ts";
import { startThreeServices, WAIT } from "./testing/three-services.ts";

/** pg_dump refuses a newer server, so the test starts the server of the same package. */
const PROGRAMS = findPrograms();
skipWithout("pg_dump", PROGRAMS === null);
const PATH = `${PROGRAMS}:${process.env.PATH}`;
const SCRIPT = join(CHECKOUT, "infra", "compose", "backup.sh");

const PASSWORD = "a b@c/d\\e%f'g";
const RECIPIENT = "age1x6whmq935za0ucqqd8nzmfg09rtgu5l26n3zyjkhc7ktv2speprspp5tnz";
const URL = "https://www.amazon.de/dp/B0ZZ1Y2X3W?tag=me-21";

let folder: string;
let stopServer: () => Promise<unknown>;
let serverUrl: string;
let source: ThrowawayDatabase;

beforeAll(async () => {
  if (PROGRAMS === null) return;
  folder = await mkdtemp(join(tmpdir(), "tapthru-backup-"));
  const port = String(await freePort());
  serverUrl = `postgres://tapthru:${encodeURIComponent(PASSWORD)}@127.0.0.1:${port}/postgres`;
  const cluster = join(folder, "cluster");
  await writeFile(join(folder, "password"), PASSWORD);
  // initdb refuses to run as root.
  const user = process.getuid?.() === 0 ? await ownerOfCluster(cluster) : {};
  const authentication = ["--auth=scram-sha-256", "--pwfile", join(folder, "password")];
  const initdb = ["-D", cluster, "-U", "tapthru", "--encoding=UTF8", "--no-locale", "--no-sync"];
  await execa(join(PROGRAMS, "initdb"), [...initdb, ...authentication], { cwd: "/", ...user });
  const options = ["-D", cluster, "-p", port, "-h", "127.0.0.1", "-k", "", "-F"];
  const server = execa(join(PROGRAMS, "postgres"), options, { cwd: "/", reject: false, ...user });
  stopServer = () => {
    server.kill("SIGINT");
    return server;
  };
  await vi.waitFor(() => withClient(serverUrl, () => Promise.resolve()), { timeout: 30_000 });
  source = await createThrowawayDatabase(serverUrl);
});

afterAll(async () => {
  if (PROGRAMS === null) return;
  await stopServer();
  await rm(folder, { recursive: true });
});

it("an installation restored on another server, whose Postgres may be newer, has all rows but those of the outbox, opens links and has ended sessions", async () => {
  const before = await startServices(source);
  const cookie = await createSession(before.apiUrl);
  const key = await createApiKey(before.apiUrl, source.url);
  const authorization = `Bearer ${key}`;
  const created = await fetch(before.apiUrl + createLink.path, {
    method: createLink.method,
    headers: { authorization, "content-type": "application/json" },
    body: JSON.stringify({ url: URL }),
  });
  const { shortCode } = createLink.replies[201].parse(await created.json());
  expect(await before.open(shortCode)).toBe(URL);
  const clicksOf = async (apiUrl: string) => {
    const response = await fetch(apiUrl + getClicks.path, { headers: { authorization } });
    return getClicks.replies[200].parse(await response.json()).totals;
  };
  await vi.waitFor(async () => expect(await clicksOf(before.apiUrl)).toMatchObject({ bot: 1 }), WAIT);
  const clicks = await clicksOf(before.apiUrl);
  await before.stop();
  const [dump = ""] = await backUp(source.url);
  const target = await createThrowawayDatabase(process.env.TEST_DATABASE_URL ?? "");
  // The owner of each installation's database.
  await target.rows("CREATE ROLE tapthru");
  onTestFinished(() => target.rows("DROP OWNED BY tapthru; DROP ROLE tapthru").then(() => {}));
  await restore(target.url, dump);
  const rows = await contents(source);
  expect(rows.get("public.link_changes")?.length).toBeGreaterThan(0);
  expect(await contents(target)).toEqual(rows.set("public.link_changes", []));
  const after = await startServices(target);
  expect(await after.open(shortCode)).toBe(URL);
  expect(await clicksOf(after.apiUrl)).toEqual(clicks);
  expect((await fetch(after.apiUrl + listLinks.path, { headers: { cookie } })).status).toBe(401);
}, 300_000);

it("a failed restore changes nothing", async () => {
  const broken = join(folder, "broken.dump");
  await writeFile(broken, "PGDMP");
  await expect(restore(source.url, broken)).rejects.toThrow("pg_restore: error");
  expect((await contents(source)).size).toBeGreaterThan(20);
});

it("only the owner can read a dump, and its time and size are metrics for everybody", async () => {
  const startSeconds = Math.floor(Date.now() / 1_000);
  const [dump = ""] = await backUp(source.url);
  const { mode, size } = await stat(dump);
  expect(mode & 0o077).toBe(0);
  const metrics = join(dump, "..", "tapthru_backup.prom");
  expect((await stat(metrics)).mode & 0o777).toBe(0o644);
  const text = await readFile(metrics, "utf8");
  expect(text).toContain(`\ntapthru_backup_size_bytes ${size}\n`);
  const [, time] = /^tapthru_backup_last_success_timestamp_seconds (\d+)$/m.exec(text) ?? [];
  expect(Number(time)).toBeGreaterThanOrEqual(startSeconds);
});

it("the newest dump of each of seven days and of each of four ISO weeks is kept", async () => {
  const backups = await mkdtemp(join(folder, "backups-"));
  const days = Array.from({ length: 60 }, (_, day) => new Date(Date.UTC(2020, 11, 1 + day)));
  const names = days.flatMap((day) =>
    ["03", "15"].map((hour) => `tapthru-${day.toISOString().slice(0, 10)}T${hour}0000Z.dump.age`),
  );
  await Promise.all(names.map((name) => writeFile(join(backups, name), "")));
  const [, ...kept] = await backUp(source.url, { BACKUP_DIR: backups });
  // One day and one week are those of the new dump. 2021-01-29 is a Friday.
  expect(kept.map((file) => file.slice(-"2021-01-29T150000Z.dump.age".length, -9))).toEqual([
    "2021-01-29T150000Z",
    "2021-01-28T150000Z",
    "2021-01-27T150000Z",
    "2021-01-26T150000Z",
    "2021-01-25T150000Z",
    "2021-01-24T150000Z",
    "2021-01-17T150000Z",
  ]);
});

it("daily dumps leave the newest three of before an upgrade", async () => {
  const backups = await mkdtemp(join(folder, "backups-"));
  const names = [1, 2, 3, 4].map((day) => `tapthru-2020-12-0${day}T030000Z-before-upgrade.dump`);
  await Promise.all(names.map((name) => writeFile(join(backups, name), "")));
  await runScript("before-upgrade", { DATABASE_URL: source.url, BACKUP_DIR: backups });
  const kept = (await backUp(source.url, { BACKUP_DIR: backups })).filter((file) => file.includes("-before-upgrade"));
  expect(kept.map((file) => basename(file))).toEqual([expect.stringMatching(/^tapthru-202[^0]/), names[3], names[2]]);
});

it("a restore is undone, and the undo too", async () => {
  const target = await createThrowawayDatabase(serverUrl);
  const [dump = ""] = await backUp(target.url);
  await target.rows("CREATE TABLE made_after_the_dump ()");
  const isThere = async () => (await target.rows("SELECT to_regclass('made_after_the_dump') IS NOT NULL AS it"))[0]?.it;
  await restore(target.url, dump);
  expect(await isThere()).toBe(false);
  await runScript("undo", { DATABASE_URL: target.url });
  expect(await isThere()).toBe(true);
  await runScript("undo", { DATABASE_URL: target.url });
  expect(await isThere()).toBe(false);
});

it("an address is requested while site, database and dumps are as they should be", async () => {
  const backups = await mkdtemp(join(folder, "backups-"));
  let status = 503;
  const requests: string[] = [];
  const site = createServer((request, response) => {
    requests.push(request.url ?? "");
    response.writeHead(status).end();
  });
  await once(site.listen(0, "127.0.0.1"), "listening");
  onTestFinished(() => void site.close());
  const PUBLIC_BASE_URL = `http://127.0.0.1:${(site.address() as AddressInfo).port}`;
  const env = { DATABASE_URL: source.url, BACKUP_DIR: backups, BACKUP_TIME: "00:00", PUBLIC_BASE_URL };
  const settings = { env: { PATH, ...env, PING_URL: `${PUBLIC_BASE_URL}/ping`, PING_SECONDS: "0.2" }, reject: false };
  const script = execa(SCRIPT, ["daily"], { ...settings, detached: true });
  onTestFinished(() => void process.kill(-(script.pid ?? Number.NaN), "SIGKILL"));
  await vi.waitUntil(() => requests.length > 3, WAIT);
  expect(new Set(requests)).toEqual(new Set(["/version.txt"]));
  status = 200;
  await vi.waitUntil(() => requests.includes("/ping"), WAIT);
});

it("the documented command copies a dump to another machine; without the copy the dump has failed", async () => {
  const copies = new Map<string, Buffer>();
  const machine = createServer(async (request, response) => {
    const body = await buffer(request);
    if (request.method === "PUT" && request.headers.authorization) copies.set(basename(request.url ?? ""), body);
    response.writeHead(isFull ? 507 : 201).end();
  });
  let isFull = false;
  await once(machine.listen(0, "127.0.0.1"), "listening");
  onTestFinished(() => void machine.close());
  const [, command = ""] = /BACKUP_COPY_COMMAND='(.+)'/.exec(readText("docs/upgrade-and-backup.md")) ?? [];
  const address = `http://127.0.0.1:${(machine.address() as AddressInfo).port}`;
  const BACKUP_DIR = await mkdtemp(join(folder, "backups-"));
  const settings = { BACKUP_DIR, BACKUP_COPY_COMMAND: command.replace("https://dav.example.com", address) };
  const [dump = ""] = await backUp(source.url, settings);
  const copy = join(folder, "copy.dump");
  await writeFile(copy, copies.get(basename(dump)) ?? "");
  const target = await createThrowawayDatabase(serverUrl);
  await restore(target.url, copy);
  expect(await contents(target)).toEqual((await contents(source)).set("public.link_changes", []));

  // What the command prints is not taken for the script's own words, which upgrade-postgres.sh reads. Its secrets are in no list of processes.
  const seen = join(folder, "seen");
  const BACKUP_COPY_COMMAND = `tr '\\0' ' ' </proc/$$/cmdline >"${seen}"; echo wrote copies/x # TOKEN`;
  const { stdout } = await runScript("now", { DATABASE_URL: source.url, BACKUP_DIR, BACKUP_COPY_COMMAND });
  expect(stdout).toMatch(/^wrote \S+\.dump$/);
  expect(await readFile(seen, "utf8")).not.toContain("TOKEN");

  isFull = true;
  const metrics = join(BACKUP_DIR, "tapthru_backup.prom");
  await utimes(metrics, 0, 0);
  await expect(backUp(source.url, settings)).rejects.toThrow("returned error: 507");
  expect((await stat(metrics)).mtimeMs).toBe(0);
});

it("a dump that fails leaves no file", async () => {
  const backups = await mkdtemp(join(folder, "backups-"));
  const missing = withDatabase(serverUrl, "missing");
  await expect(backUp(missing, { BACKUP_DIR: backups })).rejects.toThrow('database "missing" does not exist');
  expect(await readdir(backups)).toEqual([]);
});

describe("with a key of age", () => {
  skipWithout("age");

  it("a dump is encrypted, and restored with the identity", async () => {
    const identity = join(folder, "identity");
    await execa("age-keygen", ["--output", identity]);
    const { stdout: recipient } = await execa("age-keygen", ["-y", identity]);
    const copies = await mkdtemp(join(folder, "copies-"));
    const settings = { BACKUP_AGE_RECIPIENT: recipient, BACKUP_COPY_COMMAND: `cp "$1" ${copies}` };
    const [dump = ""] = await backUp(source.url, settings);
    expect(await readdir(copies)).toEqual([basename(dump)]);
    expect(dump).toMatch(/\.dump\.age$/);
    expect(await readFile(dump, "latin1")).toMatch(/^age-encryption\.org/);
    const target = await createThrowawayDatabase(serverUrl);
    await restore(target.url, dump, { AGE_IDENTITY_FILE: identity });
    expect(await contents(target)).toEqual((await contents(source)).set("public.link_changes", []));
  });

  it("a dump that is killed leaves nothing that can be read, and the next start removes it", async () => {
    const backups = await mkdtemp(join(folder, "backups-"));
    const bin = await mkdtemp(join(folder, "bin-"));
    const endless = `#!/bin/sh\n"${PROGRAMS}/pg_dump" "$@"\nexec sleep 600\n`;
    await writeFile(join(bin, "pg_dump"), endless, { mode: 0o755 });
    const run = (command: string, PATH: string) => {
      const env = { PATH, DATABASE_URL: source.url, BACKUP_DIR: backups, BACKUP_TIME: "00:00" };
      const options = { env: { ...env, BACKUP_AGE_RECIPIENT: RECIPIENT }, reject: false };
      const script = execa(SCRIPT, [command], { ...options, detached: true });
      return async () => {
        process.kill(-(script.pid ?? Number.NaN), "SIGKILL");
        await script;
      };
    };
    const kill = run("now", `${bin}:${PATH}`);
    const files = async () =>
      Promise.all((await readdir(backups)).map((name) => readFile(join(backups, name), "latin1")));
    await vi.waitUntil(async () => (await files()).some((text) => text !== ""), WAIT);
    await kill();
    expect((await files()).map((text) => text.slice(0, 18))).toEqual(["age-encryption.org"]);
    onTestFinished(run("daily", PATH));
    await vi.waitUntil(async () => (await readdir(backups)).includes("tapthru_backup.prom"), WAIT);
    expect((await readdir(backups)).filter((name) => name.endsWith(".part"))).toEqual([]);
  });
});

/** @returns the paths of all dumps, newest first */
async function backUp(url: string, settings: Record<string, string> = {}): Promise<string[]> {
  const BACKUP_DIR = settings.BACKUP_DIR ?? (await mkdtemp(join(folder, "backups-")));
  const urlFile = join(folder, "url");
  await writeFile(urlFile, `${url}\n`);
  await runScript("now", { DATABASE_URL_FILE: urlFile, ...settings, BACKUP_DIR });
  const files = (await readdir(BACKUP_DIR)).filter((name) => name.includes(".dump"));
  return files
    .toSorted()
    .map((name) => join(BACKUP_DIR, name))
    .toReversed();
}

async function restore(url: string, dump: string, settings: Record<string, string> = {}) {
  await runScript("restore", { DATABASE_URL: url, ...settings }, dump);
  await runScript("swap", { DATABASE_URL: url });
}

async function runScript(command: string, env: Record<string, string>, inputFile?: string) {
  const input = inputFile === undefined ? {} : { inputFile };
  return execa(SCRIPT, [command], { env: { PATH, ...env }, ...input });
}

async function startServices(database: ThrowawayDatabase) {
  const redis = await startRedis();
  onTestFinished(() => redis.remove());
  const services = await startThreeServices({ database, redisUrlOf: () => redis.url });
  onTestFinished(() => services.stop());
  return services;
}

async function contents({ rows }: ThrowawayDatabase): Promise<Map<string, unknown[]>> {
  const tables = await rows(
    `SELECT format('%I.%I', schemaname, tablename) AS name FROM pg_tables
     WHERE schemaname IN ('public', 'identity') ORDER BY name`,
  );
  const contents = new Map<string, unknown[]>();
  for (const { name } of tables) {
    contents.set(String(name), await rows(`SELECT * FROM ${name} AS t ORDER BY t::text`));
  }
  return contents;
}

/** The folder with pg_dump and the server of its version; Debian keeps them off the PATH. */
function findPrograms(): string | null {
  const versions = "/usr/lib/postgresql";
  const debian = existsSync(versions) ? readdirSync(versions).map((name) => join(versions, name, "bin")) : [];
  const onPath = findOnPath("pg_dump");
  const folders = [...debian, ...(onPath === null ? [] : [join(onPath, "..")])];
  return folders.find((bin) => ["initdb", "pg_dump"].every((name) => existsSync(join(bin, name)))) ?? null;
}

async function ownerOfCluster(cluster: string): Promise<{ uid: number; gid: number }> {
  const id = async (option: string) => Number((await execa("id", [option, "nobody"])).stdout);
  const [uid, gid] = await Promise.all([id("-u"), id("-g")]);
  await mkdir(cluster);
  await chmod(folder, 0o755);
  await execa("chown", [`${uid}:${gid}`, cluster]);
  return { uid, gid };
}
