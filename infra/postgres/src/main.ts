import { readConfigAtBoot } from "@tapthru/core/platform/config/configs";
import { printError, UserFacingError } from "@tapthru/core/platform/user-facing-error";
import pg from "pg";
import { runUsersCommand } from "./commands/users.ts";
import { demoLoginMessage, ensureDemoAccount } from "./demo/account.ts";
import { createLoginRoles } from "./login-roles.ts";
import { migrateVerbosely } from "./migrate.ts";
import { firstAccountMessage } from "./operator-link.ts";
import { seed } from "./seed.ts";

const INVALID_PASSWORD = "28P01";

/** The image's commands. Without arguments it migrates the database and sets the passwords of the services' roles. */
const COMMANDS: Record<string, (args: string[]) => Promise<void>> = {
  migrate,
  users: (args) => runUsersCommand(config.DATABASE_URL, config.PUBLIC_BASE_URL, args),
  seed: seedDemo,
};

const config = readConfigAtBoot("migrate");
const [command = "migrate", ...args] = process.argv.slice(2);
try {
  const run = COMMANDS[command];
  if (!run) throw new UserFacingError(`Unknown command: ${command}. Known: users, seed.`);
  await run(args);
} catch (error) {
  printError(refusedLogin(error, config.DATABASE_URL) ?? error);
  process.exitCode = 1;
}

async function migrate(): Promise<void> {
  const { DATABASE_URL } = config;
  await migrateVerbosely(DATABASE_URL);
  await createLoginRoles(DATABASE_URL, {
    api: config.API_DATABASE_PASSWORD,
    worker: config.WORKER_DATABASE_PASSWORD,
    redirect: config.REDIRECT_DATABASE_PASSWORD,
    monitoring: config.MONITORING_DATABASE_PASSWORD,
  });
  const message = await firstAccountMessage(DATABASE_URL, config.PUBLIC_BASE_URL);
  if (message !== null) console.log(message);
}

/** `seed [<address of the site>]`: the demo's links, and its account with links, clicks and earnings. */
async function seedDemo([siteUrl]: string[]): Promise<void> {
  const { DATABASE_URL, PUBLIC_BASE_URL, TAPTHRU_ENV } = config;
  if (TAPTHRU_ENV === "production") {
    throw new UserFacingError("Everybody knows the password of the demo account: it is not for production.");
  }
  await seed(DATABASE_URL, PUBLIC_BASE_URL, await ensureDemoAccount(PUBLIC_BASE_URL, siteUrl));
  console.log(demoLoginMessage);
}

/**
 * The remedy for a refused login of the role that owns the tables, in one sentence; null for other errors.
 * The password of a Compose volume is set when the volume is created and stays when POSTGRES_PASSWORD changes.
 */
function refusedLogin(error: unknown, databaseUrl: string): UserFacingError | null {
  if (!(error instanceof pg.DatabaseError) || error.code !== INVALID_PASSWORD) return null;
  const role = decodeURIComponent(new URL(databaseUrl).username);
  return new UserFacingError(
    `Postgres refused the password of the role "${role}": POSTGRES_PASSWORD sets it only when the volume is created; to change it on an existing volume, run infra/compose/set-postgres-password.sh.`,
  );
}
