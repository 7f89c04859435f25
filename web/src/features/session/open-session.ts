import type { Login } from "@tapthru/proto/accounts";
import { USERNAME_MAX_LENGTH, USERNAME_MIN_LENGTH } from "@tapthru/proto/rules/limits";
import { cleanName } from "@tapthru/proto/rules/names";
import { httpErrorOf } from "../../lib/http/http-client.ts";
import { retryOnce } from "../../lib/timeouts.ts";
import { createUser, logIn, type Proof } from "./api.ts";

export type ProvidersUser = Login["identity"] & { displayName: string | null };

/**
 * Opens a session for who is logged in at the identity provider. Creates a missing backend user, as after an interrupted sign-up or the
 * first login with OpenID Connect.
 */
export async function openSession({ displayName, ...identity }: ProvidersUser, token: Proof): Promise<Login> {
  const attempt = () => retryOnce(() => logIn(identity.uid, token));
  const user = await attempt().catch(async (error) => {
    if (httpErrorOf(error)?.status !== 404) throw error;
    await restoreUser({ ...identity, displayName }, token);
    return attempt();
  });
  return { user, identity };
}

const DIGIT_COUNT = 4;

async function restoreUser({ uid, email, displayName }: ProvidersUser, token: Proof): Promise<void> {
  const name = cleanName(displayName || (email.split("@", 1)[0] ?? ""));
  const create = (username: string) => createUser({ firebaseUid: uid, email, username }, token);
  const withDigits = () => create(name.slice(0, USERNAME_MAX_LENGTH - DIGIT_COUNT) + randomDigits());

  if (name.length < USERNAME_MIN_LENGTH) return withDigits();
  await create(name.slice(0, USERNAME_MAX_LENGTH)).catch((error) => {
    if (httpErrorOf(error)?.code !== "username-taken") throw error;
    return withDigits();
  });
}

function randomDigits(): string {
  const [value = 0] = crypto.getRandomValues(new Uint32Array(1));
  return String(value % 10 ** DIGIT_COUNT).padStart(DIGIT_COUNT, "0");
}
