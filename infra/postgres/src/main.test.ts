import { execFile } from "node:child_process";
import { createHash } from "node:crypto";
import { fileURLToPath } from "node:url";
import { promisify } from "node:util";
import { afterAll, expect, it } from "vitest";
import { createThrowawayDatabase } from "./testing/throwaway-database.ts";
import { withClient } from "./with-client.ts";

const MAIN = fileURLToPath(new URL("main.ts", import.meta.url));
const ROLES = ["tapthru_api_login", "tapthru_worker_login", "tapthru_redirect_login", "tapthru_monitoring_login"];

const database = await createThrowawayDatabase();
afterAll(async () => {
  await database.rows(`DROP ROLE IF EXISTS ${ROLES.join()}`);
  await database.drop();
});

async function run(settings: Record<string, string>, ...args: string[]): Promise<string> {
  const env = { ...process.env, TAPTHRU_ENV: "local", DATABASE_URL: database.url, ...settings };
  const { stdout } = await promisify(execFile)(process.execPath, [MAIN, ...args], { env });
  return stdout;
}

async function userOf(service: string, password: string, group = `tapthru_${service}`): Promise<unknown> {
  const url = new URL(database.url);
  url.username = `tapthru_${service}_login`;
  url.password = password;
  const { rows } = await withClient(url.href, (client) =>
    client.query("SELECT current_user AS name, pg_has_role($1, 'member') AS may", [group]),
  );
  return rows[0];
}

it("lets every service log in with its password, and leaves the others as they were", async () => {
  await run({
    API_DATABASE_PASSWORD: "of-the-api",
    WORKER_DATABASE_PASSWORD: "of-the-worker",
    REDIRECT_DATABASE_PASSWORD: "of-the-redirect",
    MONITORING_DATABASE_PASSWORD: "of-the-exporter",
  });
  expect(await run({ WORKER_DATABASE_PASSWORD: "another" })).toMatch("The schema is up to date.\n");
  expect(await userOf("api", "of-the-api")).toEqual({ name: ROLES[0], may: true });
  expect(await userOf("worker", "another")).toEqual({ name: ROLES[1], may: true });
  expect(await userOf("redirect", "of-the-redirect")).toEqual({ name: ROLES[2], may: true });
  expect(await userOf("monitoring", "of-the-exporter", "pg_monitor")).toEqual({ name: ROLES[3], may: true });
  await expect(userOf("worker", "of-the-worker")).rejects.toThrow("password authentication failed");
});

it("leaves a role that is not Tapthru's as it is", async () => {
  await database.rows(`DROP ROLE IF EXISTS ${ROLES.join()}`);
  await database.rows("CREATE ROLE tapthru_api_login LOGIN PASSWORD 'of-another-application'");
  await expect(run({ API_DATABASE_PASSWORD: "of-the-api" })).rejects.toMatchObject({
    code: 1,
    stderr: `Postgres has a role "tapthru_api_login" that is not Tapthru's: rename or drop it.\n`,
  });
  expect(await userOf("api", "of-another-application")).toMatchObject({ may: false });
  await database.rows("DROP ROLE tapthru_api_login");
});

it("refuses the roles of another database of the server as long as it exists", async () => {
  const other = await createThrowawayDatabase();
  await run({ API_DATABASE_PASSWORD: "of-the-other", DATABASE_URL: other.url });
  const name = new URL(other.url).pathname.slice(1);
  await expect(run({ API_DATABASE_PASSWORD: "of-the-api" })).rejects.toMatchObject({
    code: 1,
    stderr: `The role "tapthru_api_login" is that of the installation in the database "${name}": each installation needs a Postgres server of its own. If this database replaces that one, drop the role first.\n`,
  });
  expect(await userOf("api", "of-the-other")).toMatchObject({ may: true });
  await other.drop();
  await run({ API_DATABASE_PASSWORD: "of-the-api" });
  expect(await userOf("api", "of-the-api")).toMatchObject({ may: true });
});

it("prints a link for the operator as long as there is no account, and each is valid", async () => {
  await database.rows("DELETE FROM invitations");
  const tokenIn = (output: string) => /\/signup\?invitation=(\S+)\n$/.exec(output)?.[1] ?? "";
  const tokens = [tokenIn(await run({})), tokenIn(await run({}))];
  expect(new Set(tokens).size).toBe(2);
  const hashes = tokens.map((token) => createHash("sha256").update(token).digest());
  expect(await database.rows("SELECT token_hash, makes_operator FROM invitations ORDER BY id")).toEqual(
    hashes.map((token_hash) => ({ token_hash, makes_operator: true })),
  );
  await database.rows("INSERT INTO users (firebase_uid, email, username) VALUES ('u', 'a@x', 'a')");
  expect(await run({})).toBe("The schema is up to date.\n");
});

it("names the remedy when Postgres refuses the owner's password", async () => {
  const url = new URL(database.url);
  url.password = "of-the-demo";
  await expect(run({ DATABASE_URL: url.href })).rejects.toMatchObject({
    code: 1,
    stderr: `Postgres refused the password of the role "${url.username}": POSTGRES_PASSWORD sets it only when the volume is created; to change it on an existing volume, run infra/compose/set-postgres-password.sh.\n`,
  });
});

it("creates no demo account in production", async () => {
  const settings = { PUBLIC_BASE_URL: "https://go.example.com", TAPTHRU_ENV: "production" };
  const passwords = { API_DATABASE_PASSWORD: "a".repeat(32), WORKER_DATABASE_PASSWORD: "b".repeat(32) };
  const seeding = run({ ...settings, ...passwords, REDIRECT_DATABASE_PASSWORD: "c".repeat(32) }, "seed");
  await expect(seeding).rejects.toThrow("it is not for production");
  expect(await database.rows("SELECT FROM users WHERE username = 'demo-user'")).toEqual([]);
});
