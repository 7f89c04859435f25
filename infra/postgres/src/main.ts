import { readConfigAtBoot } from "@tapthru/runtime/config/configs";
import pg from "pg";
import { createLoginRoles } from "./login-roles.ts";
import { migrateVerbosely } from "./migrate.ts";

const INVALID_PASSWORD = "28P01";

const config = readConfigAtBoot("migrate");
try {
  await migrateVerbosely(config.DATABASE_URL);
  await createLoginRoles(config.DATABASE_URL, {
    api: config.API_DATABASE_PASSWORD,
    worker: config.WORKER_DATABASE_PASSWORD,
    redirect: config.REDIRECT_DATABASE_PASSWORD,
  });
} catch (error) {
  const message = loginErrorMessage(error, config.DATABASE_URL);
  if (message === null) throw error;
  console.error(message);
  process.exitCode = 1;
}

/**
 * The remedy for a refused login of the role that owns the tables, in one sentence; null for other errors.
 * The password of a Compose volume is set when the volume is created and stays when POSTGRES_PASSWORD changes.
 */
function loginErrorMessage(error: unknown, databaseUrl: string): string | null {
  if (!(error instanceof pg.DatabaseError) || error.code !== INVALID_PASSWORD) return null;
  const role = decodeURIComponent(new URL(databaseUrl).username);
  return `Postgres refused the password of the role "${role}": POSTGRES_PASSWORD sets it only when the volume is created; to change it on an existing volume, run compose/set-postgres-password.sh.`;
}
