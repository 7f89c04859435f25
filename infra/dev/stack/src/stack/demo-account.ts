import type { SeedAccount } from "@tapthru/postgres/seed";
import { signUpIdentity } from "@tapthru/proto/identity";
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
  if (!(await respondsOverHttp(`${publicBaseUrl}/api/session`, 200))) return null;
  const signUp = async () =>
    signUpIdentity.replies[200].parse(await (await signUpAtProvider(publicBaseUrl, ACCOUNT)).json());
  const { identity } = (await signInAtProvider(publicBaseUrl, ACCOUNT)) ?? (await signUp());
  return { firebaseUid: identity.uid, email: ACCOUNT.email, username: ACCOUNT.username };
}
