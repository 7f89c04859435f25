import { readConfig } from "./config.ts";
import { createLoginRoles } from "./login-roles.ts";
import { migrate } from "./migrate.ts";

const config = readConfig();
const applied = await migrate({ databaseUrl: config.DATABASE_URL, log: () => {} });
console.log(applied.length > 0 ? `Applied ${applied.join(", ")}.` : "The schema is up to date.");
await createLoginRoles(config.DATABASE_URL, {
  api: config.API_DATABASE_PASSWORD,
  worker: config.WORKER_DATABASE_PASSWORD,
  redirect: config.REDIRECT_DATABASE_PASSWORD,
});
