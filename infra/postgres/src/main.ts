import { readConfig } from "./config.ts";
import { createLoginRoles } from "./login-roles.ts";
import { migrateVerbosely } from "./migrate-verbosely.ts";

const config = readConfig();
await migrateVerbosely(config.DATABASE_URL);
await createLoginRoles(config.DATABASE_URL, {
  api: config.API_DATABASE_PASSWORD,
  worker: config.WORKER_DATABASE_PASSWORD,
  redirect: config.REDIRECT_DATABASE_PASSWORD,
});
