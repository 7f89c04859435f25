import type { User } from "@tapthru/proto/http/accounts";
import { PROVIDER_SIGN_OUT_WAIT_MS } from "@tapthru/proto/rules/limits";
import { finishesWithin } from "../../lib/finishes-within.ts";
import { httpErrorOf } from "../../lib/http/http-client.ts";
import { retryOnce } from "../../lib/http/retry-once.ts";
import { getUser } from "./api/get-user.ts";
import { logIn } from "./api/log-in.ts";
import { isProviderUnreachable, providerCode } from "./failures.ts";
import type { Identity, IdentityProvider } from "./identity-provider.ts";
import { restoreUser } from "./restore-user.ts";

const INVALID_IDENTITY_CODES = new Set([
  "auth/user-disabled",
  "auth/user-not-found",
  "auth/user-token-expired",
  "auth/invalid-user-token",
  "auth/invalid-refresh-token",
]);

/**
 * Logs the signed-in identity in to the backend. Creates a missing backend user (404). Renews a refused token (401),
 * and signs out if the provider refuses to renew it. While the provider is unreachable, uses an existing session.
 */
export async function logInToBackend(
  provider: IdentityProvider,
  identity: Identity,
): Promise<User> {
  const attempt = (getToken: () => Promise<string>) =>
    retryOnce(async () => logIn(identity.uid, await getToken()));
  const knownToken = () => provider.getToken();

  try {
    return await attempt(knownToken);
  } catch (error) {
    if (isProviderUnreachable(error)) return retryOnce(() => getUser(identity.uid));
    const status = httpErrorOf(error)?.status;
    if (status === 401) return attempt(() => freshToken(provider));
    if (status !== 404) throw error;
    await restoreUser(identity, await knownToken());
    return attempt(knownToken);
  }
}

async function freshToken(provider: IdentityProvider): Promise<string> {
  try {
    return await provider.getToken({ fresh: true });
  } catch (error) {
    if (INVALID_IDENTITY_CODES.has(providerCode(error) ?? ""))
      await finishesWithin(PROVIDER_SIGN_OUT_WAIT_MS, provider.signOut());
    throw error;
  }
}
