import { execFile } from "node:child_process";
import { createHash } from "node:crypto";
import { fileURLToPath } from "node:url";
import { promisify } from "node:util";
import { afterAll, beforeAll, expect, it } from "vitest";
import { createThrowawayDatabase, type ThrowawayDatabase } from "./testing/throwaway-database.ts";
import { withClient } from "./with-client.ts";

const MAIN = fileURLToPath(new URL("main.ts", import.meta.url));
const ROLES = ["api", "worker", "redirect"];

let database: ThrowawayDatabase;
beforeAll(async () => {
  database = await createThrowawayDatabase();
});
afterAll(async () => {
  await database.rows(`DROP ROLE IF EXISTS ${ROLES.join()}`);
  await database.drop();
});

async function run(passwords: Record<string, string>): Promise<string> {
  const env = { ...process.env, TAPTHRU_ENV: "local", DATABASE_URL: database.url, ...passwords };
  const { stdout } = await promisify(execFile)(process.execPath, [MAIN], { env });
  return stdout;
}

async function userOf(role: string, password: string): Promise<unknown> {
  const url = new URL(database.url);
  url.username = role;
  url.password = password;
  const { rows } = await withClient(url.href, (client) =>
    client.query(
      `SELECT current_user AS name, pg_has_role('tapthru_' || current_user, 'member') AS may`,
    ),
  );
  return rows[0];
}

it("lets every service log in with its password, and leaves the others as they were", async () => {
  await run({
    API_DATABASE_PASSWORD: "of-the-api",
    WORKER_DATABASE_PASSWORD: "of-the-worker",
    REDIRECT_DATABASE_PASSWORD: "of-the-redirect",
  });
  expect(await run({ WORKER_DATABASE_PASSWORD: "another" })).toMatch("The schema is up to date.\n");

  expect(await userOf("api", "of-the-api")).toEqual({ name: "api", may: true });
  expect(await userOf("worker", "another")).toEqual({ name: "worker", may: true });
  expect(await userOf("redirect", "of-the-redirect")).toEqual({ name: "redirect", may: true });
  await expect(userOf("worker", "of-the-worker")).rejects.toThrow("password authentication failed");
});

it("prints a link for the operator as long as there is no account, and each is valid", async () => {
  await database.rows("DELETE FROM invitations");
  const tokenIn = (output: string) => /\/signup\?invitation=(\S+)\n$/.exec(output)?.[1] ?? "";
  const tokens = [tokenIn(await run({})), tokenIn(await run({}))];
  expect(new Set(tokens).size).toBe(2);
  const hashes = tokens.map((token) => createHash("sha256").update(token).digest());
  expect(
    await database.rows("SELECT token_hash, makes_operator FROM invitations ORDER BY id"),
  ).toEqual(hashes.map((token_hash) => ({ token_hash, makes_operator: true })));

  await database.rows("INSERT INTO users (firebase_uid, email, username) VALUES ('u', 'a@x', 'a')");
  expect(await run({})).toBe("The schema is up to date.\n");
});

it("names the remedy when Postgres refuses the owner's password", async () => {
  const url = new URL(database.url);
  url.password = "of-the-demo";
  const env = { ...process.env, TAPTHRU_ENV: "local", DATABASE_URL: url.href };

  await expect(promisify(execFile)(process.execPath, [MAIN], { env })).rejects.toMatchObject({
    code: 1,
    stderr: `Postgres refused the password of the role "${url.username}": POSTGRES_PASSWORD sets it only when the volume is created; to change it on an existing volume, run compose/set-postgres-password.sh.\n`,
  });
});
