import { readConfigAtBoot } from "@tapthru/runtime/config/configs";
import { loginErrorMessage } from "./login-error.ts";
import { createLoginRoles } from "./login-roles.ts";
import { migrateVerbosely } from "./migrate-verbosely.ts";

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
