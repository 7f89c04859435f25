import { UserFacingError } from "@tapthru/core/platform/user-facing-error";
import { signInIdentity, signUpIdentity } from "@tapthru/proto/identity";
import type { SeedAccount } from "../seed.ts";

const ACCOUNT = { email: "demo@tapthru.example", username: "demo-user", password: "tapthru-demo" };

export const demoLoginMessage = `Log in as ${ACCOUNT.email} with ${ACCOUNT.password}.`;

/**
 * Creates the README's account at the built-in identity provider if it is missing.
 * @param siteUrl where the site responds, if it is not at its public address from here
 */
export async function ensureDemoAccount(publicBaseUrl: string, siteUrl: string = publicBaseUrl): Promise<SeedAccount> {
  const { email, username, password } = ACCOUNT;
  const send = ({ method, path }: { method: string; path: string }, body: object) =>
    fetch(siteUrl + path, {
      method,
      headers: { origin: publicBaseUrl, "content-type": "application/json" },
      body: JSON.stringify(body),
    });
  const accountOf = (firebaseUid: string) => ({ firebaseUid, email, username });
  const known = await send(signInIdentity, { email, password });
  if (known.ok) {
    const { login } = signInIdentity.replies[200].parse(await known.json());
    if (login !== null) return accountOf(login.identity.uid);
  }
  const added = await send(signUpIdentity, { displayName: username, email, password });
  if (!added.ok) throw new UserFacingError(`${siteUrl} created no demo account: ${await added.text()}`);
  return accountOf(signUpIdentity.replies[200].parse(await added.json()).identity.uid);
}
