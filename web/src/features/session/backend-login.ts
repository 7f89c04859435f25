import type { User } from "@tapthru/proto/accounts";
import { PROVIDER_SIGN_OUT_WAIT_MS, USERNAME_MAX_LENGTH, USERNAME_MIN_LENGTH } from "@tapthru/proto/rules/limits";
import { cleanName } from "@tapthru/proto/rules/names";
import { httpErrorOf } from "../../lib/http/http-client.ts";
import { finishesWithin, retryOnce } from "../../lib/timeouts.ts";
import { createUser, getUser, logIn } from "./api.ts";
import { errorCode, isProviderUnreachable, isSignUpRefused } from "./failures.ts";
import type { Identity, IdentityProvider } from "./identity-provider.ts";

const INVALID_IDENTITY_CODES = new Set([
  "auth/user-disabled",
  "auth/user-not-found",
  "auth/user-token-expired",
  "auth/invalid-user-token",
  "auth/invalid-refresh-token",
  "login-required",
]);

/**
 * Logs the signed-in identity in to the backend. Creates a missing backend user (404), and signs out if the installation
 * refuses that. Renews a refused token (401), and signs out if the provider refuses to renew it. While the provider is unreachable, uses an existing session.
 */
export async function logInToBackend(provider: IdentityProvider, identity: Identity): Promise<User> {
  const attempt = (getToken: () => Promise<string>) => retryOnce(async () => logIn(identity.uid, await getToken()));
  const knownToken = () => provider.getToken();

  try {
    return await attempt(knownToken);
  } catch (error) {
    if (isProviderUnreachable(error)) return retryOnce(() => getUser(identity.uid));
    const status = httpErrorOf(error)?.status;
    if (status === 401) return attempt(() => freshToken(provider));
    if (status !== 404) throw error;
    try {
      await restoreUser(identity, await knownToken());
    } catch (refusal) {
      if (isSignUpRefused(refusal)) await signOut(provider, { isLocal: true });
      throw refusal;
    }
    return attempt(knownToken);
  }
}

async function freshToken(provider: IdentityProvider): Promise<string> {
  try {
    return await provider.getToken({ fresh: true });
  } catch (error) {
    if (INVALID_IDENTITY_CODES.has(errorCode(error))) await signOut(provider);
    throw error;
  }
}

function signOut(provider: IdentityProvider, options?: { isLocal: boolean }): Promise<boolean> {
  return finishesWithin(PROVIDER_SIGN_OUT_WAIT_MS, provider.signOut(options));
}

const DIGIT_COUNT = 4;

/** Creates the missing backend user of an identity whose sign-up was interrupted. */
async function restoreUser({ uid, email, displayName }: Identity, token: string): Promise<User> {
  const name = cleanName(displayName ?? email.split("@", 1)[0] ?? "");
  const create = (username: string) => createUser({ firebaseUid: uid, email, username }, token);
  const withDigits = () => create(name.slice(0, USERNAME_MAX_LENGTH - DIGIT_COUNT) + randomDigits());

  if (name.length < USERNAME_MIN_LENGTH) return withDigits();
  try {
    return await create(name.slice(0, USERNAME_MAX_LENGTH));
  } catch (error) {
    if (httpErrorOf(error)?.code !== "username-taken") throw error;
    return withDigits();
  }
}

function randomDigits(): string {
  const [value = 0] = crypto.getRandomValues(new Uint32Array(1));
  return String(value % 10 ** DIGIT_COUNT).padStart(DIGIT_COUNT, "0");
}
