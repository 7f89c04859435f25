import type { Config } from "@tapthru/core/platform/config/configs";
import { UserFacingError } from "@tapthru/core/platform/user-facing-error";
import { demoLoginMessage, ensureDemoAccount } from "../demo/account.ts";
import { seed } from "../seed.ts";

/** `seed [<address of the site>]`: the demo's links, and its account with links, clicks and earnings. */
export async function runSeedCommand(config: Config<"migrate">, [siteUrl]: string[]): Promise<void> {
  const { DATABASE_URL, PUBLIC_BASE_URL, TAPTHRU_ENV } = config;
  if (TAPTHRU_ENV === "production") {
    throw new UserFacingError("Everybody knows the password of the demo account: it is not for production.");
  }
  await seed(DATABASE_URL, PUBLIC_BASE_URL, await ensureDemoAccount(PUBLIC_BASE_URL, siteUrl));
  console.log(demoLoginMessage);
}
