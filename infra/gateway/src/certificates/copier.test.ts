import { mkdir, mkdtemp, readdir, readFile, rm, stat, utimes, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { createCertificateKeys } from "@tapthru/core/platform/cipher";
import { createTcpProxy, type TcpProxy } from "@tapthru/core/platform/testing/tcp-proxy";
import { createTestAuthority } from "@tapthru/core/platform/testing/test-certificates";
import { createTestLogger, type LogLine } from "@tapthru/core/platform/testing/test-logger";
import { createThrowawayDatabase } from "@tapthru/postgres/testing/throwaway-database";
import { afterAll, afterEach, beforeEach, describe, expect, it, vi } from "vitest";
import { openCertificateFiles } from "./certificate-files.ts";
import { createCopier } from "./copier.ts";

const certificateKeys = createCertificateKeys(["a key of tests that has 32 characters"]);

const authority = await createTestAuthority();
const database = await createThrowawayDatabase();
afterAll(() => database.drop());
await database.rows("INSERT INTO users (id, username, email, firebase_uid) VALUES (1, 'u', 'u', 'u')");
let proxy: TcpProxy;
let logged: LogLine[];
let directory: string;
let copier: ReturnType<typeof createCopier>;
let start: () => Promise<void>;

beforeEach(async () => {
  await database.rows("TRUNCATE certificates, domains");
  directory = await mkdtemp(join(tmpdir(), "tapthru-copies-"));
  proxy = await createTcpProxy(await database.urlAs("tapthru_redirect"));
  const { logger, lines } = createTestLogger();
  logged = lines;
  const { url: databaseUrl } = proxy;
  start = async () => {
    copier = createCopier({ databaseUrl, directory, certificateKeys, logger, pauseMs: 20 });
    await copier.start?.();
  };
  await start();
});

afterEach(async () => {
  await copier.stop?.();
  await proxy.refuse();
  await rm(directory, { recursive: true });
});

async function addDomain(host: string, { hsts = false, key }: { hsts?: boolean; key?: string } = {}) {
  await database.rows("INSERT INTO domains (user_id, host, proof, verified_at, hsts) VALUES (1, $1, 'p', now(), $2)", [
    host,
    hsts,
  ]);
  return issue(host, key);
}

async function issue(host: string, otherKey?: string) {
  const { certificate, key } = await authority.issue(host);
  await database.rows(
    `INSERT INTO certificates (host, chain, encrypted_key, not_after, issued_at)
     VALUES ($1, $2, $3, now() + interval '1 day', clock_timestamp())
     ON CONFLICT (host) DO UPDATE SET chain = excluded.chain, encrypted_key = excluded.encrypted_key, issued_at = excluded.issued_at`,
    [host, certificate, certificateKeys.encrypt(otherKey ?? key, host)],
  );
  return `${key}\n${certificate}`;
}

const eventually = <T>(check: () => T | Promise<T>) => vi.waitFor(check, { timeout: 30_000 });
const COMPLETE = ".complete";
const all = () => readdir(directory);
const names = async () => (await all()).filter((name) => name !== COMPLETE).sort();
const pem = (host: string) => readFile(join(directory, `${host}.pem`), "utf8");

describe("the copies of certificates", () => {
  it("copies the served certificates with their keys, readable by one user", async () => {
    const expected = await addDomain("go.anna.example", { hsts: true });
    await addDomain("off.anna.example");
    await database.rows("UPDATE domains SET off_at = now() WHERE host = 'off.anna.example'");
    await eventually(async () => expect(await names()).toEqual(["go.anna.example.hsts", "go.anna.example.pem"]));
    expect(await pem("go.anna.example")).toBe(expected);
    expect((await stat(join(directory, "go.anna.example.pem"))).mode & 0o777).toBe(0o600);
  });

  it("the copies follow a renewal, HSTS and the end of a domain", async () => {
    await addDomain("go.anna.example", { hsts: true });
    await eventually(async () => expect(await names()).toHaveLength(2));
    const renewed = await issue("go.anna.example");
    await database.rows("UPDATE domains SET hsts = false");
    await eventually(async () => {
      expect(await names()).toEqual(["go.anna.example.pem"]);
      expect(await pem("go.anna.example")).toBe(renewed);
    });
    await database.rows("DELETE FROM domains");
    await eventually(async () => expect(await names()).toEqual([]));
  });

  it("the copies stay while Postgres is unavailable, and follow it again afterwards", async () => {
    const expected = await addDomain("go.anna.example");
    await eventually(async () => expect(await names()).toHaveLength(1));
    await proxy.refuse();
    await database.rows("DELETE FROM domains");
    await eventually(() => expect(logged).toContainEqual(expect.objectContaining({ event: "dependency_unavailable" })));
    expect(await pem("go.anna.example")).toBe(expected);
    await proxy.accept();
    await eventually(async () => expect(await names()).toEqual([]));
  });

  it("the copy of a row that becomes unreadable stays, and the others follow", async () => {
    const expected = await addDomain("go.anna.example");
    await eventually(async () => expect(await names()).toHaveLength(1));
    const { key } = await authority.issue("x.example");
    await issue("go.anna.example", key);
    await addDomain("shop.anna.example");
    await addDomain("../escape.example");
    await eventually(async () => expect(await names()).toEqual(["go.anna.example.pem", "shop.anna.example.pem"]));
    expect(await pem("go.anna.example")).toBe(expected);
  });

  it("the copies are complete once every readable one is written, and remain so while Postgres is unavailable", async () => {
    await copier.stop?.();
    await rm(join(directory, COMPLETE), { force: true });
    const { key } = await authority.issue("x.example");
    await addDomain("unreadable.anna.example", { key });
    await addDomain("go.anna.example");
    const obstacle = join(directory, "go.anna.example.pem");
    await mkdir(obstacle);
    await start();
    await eventually(() =>
      expect(logged).toContainEqual(expect.objectContaining({ dependency: "certificates directory" })),
    );
    await addDomain("of-a-later-round.anna.example");
    await eventually(async () => expect(await names()).toContain("of-a-later-round.anna.example.pem"));
    expect(await all()).not.toContain(COMPLETE);
    await rm(obstacle, { recursive: true });
    await eventually(async () => expect(await all()).toContain(COMPLETE));
    expect(await pem("go.anna.example")).toContain("PRIVATE KEY");
    await proxy.refuse();
    await copier.stop?.();
    await utimes(join(directory, COMPLETE), 0, 0);
    await start();
    expect(await all()).toContain(COMPLETE);
    await eventually(async () => expect((await stat(join(directory, COMPLETE))).mtimeMs).toBeGreaterThan(0));
  });
});

it("an unfinished file of an earlier process is removed", async () => {
  await writeFile(join(directory, "go.anna.example.pem.new"), "half");
  await openCertificateFiles(directory);
  expect(await names()).toEqual([]);
});

it.each(["../x", "", ".", "x.example/../y.example"])("the name %j is refused as a file", async (host) => {
  const files = await openCertificateFiles(directory);
  await expect(files.write(host, "x", true)).rejects.toThrow(RangeError);
});
