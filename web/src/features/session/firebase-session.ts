import type { Login } from "@tapthru/proto/accounts";
import { USERNAME_MAX_LENGTH, USERNAME_MIN_LENGTH } from "@tapthru/proto/rules/limits";
import { cleanName } from "@tapthru/proto/rules/names";
import { httpErrorOf } from "../../lib/http/http-client.ts";
import { retryOnce } from "../../lib/timeouts.ts";
import { createUser, logIn } from "./api.ts";

/** A user who has logged in at Firebase. */
export interface FirebaseIdentity {
  uid: string;
  email: string;
  displayName: string | null;
}

/** Exchanges Firebase's token for a session. Creates a missing backend user, whose sign-up was interrupted. */
export async function openSession(identity: FirebaseIdentity, token: string): Promise<Login> {
  const { uid, email } = identity;
  const attempt = () => retryOnce(() => logIn(uid, token));
  const user = await attempt().catch(async (error) => {
    if (httpErrorOf(error)?.status !== 404) throw error;
    await restoreUser(identity, token);
    return attempt();
  });
  return { user, identity: { uid, email, hasPassword: true, hasTwoFactor: false } };
}

const DIGIT_COUNT = 4;

async function restoreUser({ uid, email, displayName }: FirebaseIdentity, token: string): Promise<void> {
  const name = cleanName(displayName ?? email.split("@", 1)[0] ?? "");
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
