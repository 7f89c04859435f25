import { providerCode } from "./failures.ts";
import type { Session } from "./session.ts";

/** Has a reset e-mail sent. Whether somebody has this address is not given away. */
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
