import { existsSync } from "node:fs";
import { migrate } from "@tapthru/postgres/migrate";
import { seed } from "@tapthru/postgres/seed";
import { DATABASE } from "./login-roles.ts";
import { superuserUrl } from "./postgres.ts";
import { readSecrets, secretsFile } from "./secrets.ts";
import { readSettings } from "./settings.ts";

const settings = readSettings(process.env);
const databaseUrl = process.env.DATABASE_URL ?? localDatabaseUrl();
if (databaseUrl === null) {
  console.error("Set DATABASE_URL, or start the local stack first (pnpm start).");
  process.exit(1);
}
switch (process.argv[2]) {
  case "migrate": {
    const applied = await migrate({ databaseUrl, log: () => {} });
    console.log(
      applied.length > 0 ? `Applied ${applied.join(", ")}.` : "The schema is up to date.",
    );
    break;
  }
  case "seed": {
    const made = await seed(databaseUrl, settings.publicBaseUrl);
    for (const code of made) console.log(`${settings.publicBaseUrl}/l/${code}`);
    if (made.length === 0) console.log("The links are there already.");
    break;
  }
  default:
    console.error("Say what to do: migrate or seed.");
    process.exit(1);
}

function localDatabaseUrl(): string | null {
  if (!existsSync(secretsFile(settings.dataDir))) return null;
  const { secrets } = readSecrets(settings.dataDir);
  const server = { port: settings.ports.POSTGRES_PORT, password: secrets.postgresPassword };
  return superuserUrl(server, DATABASE);
}
