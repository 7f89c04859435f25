import type { EmailForm } from "@tapthru/proto/http/fields";
import { providerCode } from "../failures.ts";
import type { Session } from "../session.ts";
import { withExclusiveTabLock } from "../tab-lock.ts";

/** Sends a link to the new address. Also succeeds if another account has the address, so that this is not revealed. */
export function changeEmail(
  { provider }: Pick<Session, "provider">,
  { email, currentPassword }: EmailForm,
): Promise<void> {
  return withExclusiveTabLock(async () => {
    const identityProvider = await provider();
    await identityProvider.reauthenticate(currentPassword);
    try {
      await identityProvider.sendEmailChange(email);
    } catch (error) {
      if (providerCode(error) !== "auth/email-already-in-use") throw error;
    }
  });
}
