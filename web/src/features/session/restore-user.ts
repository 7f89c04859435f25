import type { User } from "@tapthru/proto/http/accounts";
import { USERNAME_MAX_LENGTH, USERNAME_MIN_LENGTH } from "@tapthru/proto/rules/limits";
import { cleanName } from "@tapthru/proto/rules/names";
import { httpErrorOf } from "../../lib/http/http-client.ts";
import { createUser } from "./api/create-user.ts";
import type { Identity } from "./identity-provider.ts";

const DIGIT_COUNT = 4;

/** Creates the missing backend user of an identity whose sign-up was interrupted. */
export async function restoreUser(
  { uid, email, displayName }: Identity,
  token: string,
): Promise<User> {
  const name = cleanName(displayName ?? email.split("@", 1)[0] ?? "");
  const create = (username: string) => createUser({ firebaseUid: uid, email, username }, token);
  const withDigits = () =>
    create(name.slice(0, USERNAME_MAX_LENGTH - DIGIT_COUNT) + randomDigits());

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
