import { providerCode } from "../failures.ts";
import type { Session } from "../session.ts";

/** Sends a password reset email. Also succeeds for an unknown address, so that this is not revealed. */
export async function resetPassword(
  { provider }: Pick<Session, "provider">,
  email: string,
): Promise<void> {
  try {
    await (await provider()).sendPasswordReset(email);
  } catch (error) {
    if (providerCode(error) !== "auth/user-not-found") throw error;
  }
}
