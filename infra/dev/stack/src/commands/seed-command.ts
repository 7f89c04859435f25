import { seed } from "@tapthru/postgres/seed";
import { shortUrl } from "@tapthru/proto/rules/short-url";
import { withDatabase } from "../servers/database.ts";
import { demoLoginMessage, ensureDemoAccount } from "../stack/demo-account.ts";

await withDatabase(async (databaseUrl, settings) => {
  const account = await ensureDemoAccount(settings);
  const codes = await seed(databaseUrl, settings.publicBaseUrl, account);
  for (const code of codes) console.log(shortUrl(settings.publicBaseUrl, code));
  if (codes.length === 0) console.log("The links exist already.");
  if (account !== null) console.log(demoLoginMessage(account));
});
