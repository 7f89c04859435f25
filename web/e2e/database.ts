import { readFile } from "node:fs/promises";
import { join } from "node:path";
import pg from "pg";

const { TAPTHRU_DATA_DIR = join(import.meta.dirname, "../../.data"), POSTGRES_PORT = "15432" } = process.env;

/** Runs a statement in the stack's database. */
export async function runSql(statement: string, values: unknown[]): Promise<void> {
  const secrets = JSON.parse(await readFile(join(TAPTHRU_DATA_DIR, "secrets.json"), "utf8"));
  const client = new pg.Client(`postgres://postgres:${secrets.postgresPassword}@127.0.0.1:${POSTGRES_PORT}/tapthru`);
  await client.connect();
  await client.query(statement, values);
  await client.end();
}

/** As the emailed link does. */
export async function confirmEmail(email: string): Promise<void> {
  await runSql(`UPDATE identity."user" SET "emailVerified" = true WHERE address = $1`, [email.toLowerCase()]);
  await runSql("UPDATE users SET email_is_verified = true WHERE email = $1", [email.toLowerCase()]);
}
