import type { SeedAccount } from "@tapthru/postgres/seed";
import { signInAtProvider, signUpAtProvider } from "./built-in-identity.ts";
import { respondsOverHttp } from "./http-health.ts";
import type { Settings } from "./settings.ts";

const ACCOUNT = { email: "demo@tapthru.example", username: "demo-user", password: "tapthru-demo" };

/** How to log in to the account. */
export function demoLoginMessage({ email }: SeedAccount): string {
  return `Log in as ${email} with ${ACCOUNT.password}.`;
}

/** Creates the README's account at the built-in identity provider if it is missing; null while no stack runs. */
export async function ensureDemoAccount({ publicBaseUrl }: Settings): Promise<SeedAccount | null> {
  if (!(await respondsOverHttp(`${publicBaseUrl}/api/auth/identity`, 200))) return null;
  const { firebaseUid } =
    (await signInAtProvider(publicBaseUrl, ACCOUNT)) ?? (await signUpAtProvider(publicBaseUrl, ACCOUNT));
  return { firebaseUid, email: ACCOUNT.email, username: ACCOUNT.username };
}
