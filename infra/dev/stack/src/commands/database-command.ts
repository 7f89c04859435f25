import { migrateVerbosely } from "@tapthru/postgres/migrate";
import { seed } from "@tapthru/postgres/seed";
import { shortUrl } from "@tapthru/proto/rules/short-url";
import { withDatabase } from "../servers/database.ts";
import { DEMO_PASSWORD, ensureDemoAccount } from "../stack/demo-account.ts";
import { UserFacingError } from "../user-facing-error.ts";

await withDatabase(async (databaseUrl, settings) => {
  switch (process.argv[2]) {
    case "migrate":
      await migrateVerbosely(databaseUrl);
      return;
    case "seed": {
      const account = await ensureDemoAccount(settings);
      const codes = await seed(databaseUrl, settings.publicBaseUrl, account);
      for (const code of codes) console.log(shortUrl(settings.publicBaseUrl, code));
      if (codes.length === 0) console.log("The links exist already.");
      if (account !== null) console.log(`Log in as ${account.email} with ${DEMO_PASSWORD}.`);
      return;
    }
    default:
      throw new UserFacingError("Name a command: migrate or seed.");
  }
});
