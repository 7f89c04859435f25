import { existsSync } from "node:fs";
import { migrate } from "@tapthru/postgres/migrate";
import { seed } from "@tapthru/postgres/seed";
import { DEMO_PASSWORD, demoAccount } from "./demo-account.ts";
import { DATABASE } from "./login-roles.ts";
import { PlainError, printError } from "./plain-error.ts";
import { superuserUrl } from "./postgres.ts";
import { readSecrets, secretsFile } from "./secrets.ts";
import { readSettings, type Settings } from "./settings.ts";

try {
  await run(process.argv[2]);
} catch (error) {
  const isAway = error instanceof Error && "code" in error && error.code === "ECONNREFUSED";
  printError(
    isAway
      ? new PlainError(
          "Postgres does not answer: start the stack (pnpm start), or set DATABASE_URL.",
        )
      : error,
  );
  process.exitCode = 1;
}

async function run(command: string | undefined): Promise<void> {
  const settings = readSettings(process.env);
  const databaseUrl = process.env.DATABASE_URL ?? localDatabaseUrl(settings);
  switch (command) {
    case "migrate": {
      const applied = await migrate({ databaseUrl, log: () => {} });
      console.log(
        applied.length > 0 ? `Applied ${applied.join(", ")}.` : "The schema is up to date.",
      );
      return;
    }
    case "seed": {
      const account = await demoAccount(settings);
      const made = await seed(databaseUrl, settings.publicBaseUrl, account);
      for (const code of made) console.log(`${settings.publicBaseUrl}/l/${code}`);
      if (made.length === 0) console.log("The links are there already.");
      if (account !== null) console.log(`Log in as ${account.email} with ${DEMO_PASSWORD}.`);
      return;
    }
    default:
      throw new PlainError("Say what to do: migrate or seed.");
  }
}

function localDatabaseUrl({ dataDir, ports }: Settings): string {
  if (!existsSync(secretsFile(dataDir))) {
    throw new PlainError("Set DATABASE_URL, or start the local stack first (pnpm start).");
  }
  const { secrets } = readSecrets(dataDir);
  const server = { port: ports.POSTGRES_PORT, password: secrets.postgresPassword };
  return superuserUrl(server, DATABASE);
}
