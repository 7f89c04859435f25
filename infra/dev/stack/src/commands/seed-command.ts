import { demoLoginMessage, ensureDemoAccount } from "@tapthru/postgres/demo/account";
import { seed } from "@tapthru/postgres/seed";
import { shortUrl } from "@tapthru/proto/rules/short-url";
import { withDatabase } from "../servers/database.ts";
import { respondsOverHttp } from "../stack/http-health.ts";

await withDatabase(async (databaseUrl, settings) => {
  const { publicBaseUrl } = settings;
  const isRunning = await respondsOverHttp(`${publicBaseUrl}/api/session`, 200);
  const account = isRunning ? await ensureDemoAccount(publicBaseUrl) : null;
  const codes = await seed(databaseUrl, publicBaseUrl, account);
  for (const code of codes) console.log(shortUrl(publicBaseUrl, code));
  if (codes.length === 0) console.log("The links exist already.");
  if (account !== null) console.log(demoLoginMessage);
});
