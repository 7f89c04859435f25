import type { PasswordForm } from "@tapthru/proto/http/fields";
import { replaceSessions } from "../api/replace-sessions.ts";
import type { Session } from "../session.ts";
import { withExclusiveTabLock } from "../tab-lock.ts";

/**
 * Changes the password, which ends all logins at the identity provider, logs this browser in again and ends the backend
 * sessions of all other browsers.
 * @returns false if the password was changed, but not the sessions: the backend ends them at its next check
 */
export function changePassword(
  { provider }: Pick<Session, "provider">,
  { currentPassword, password }: PasswordForm,
): Promise<boolean> {
  return withExclusiveTabLock(async () => {
    const identityProvider = await provider();
    await identityProvider.reauthenticate(currentPassword);
    await identityProvider.setPassword(password);
    try {
      await identityProvider.reauthenticate(password);
      await replaceSessions(await identityProvider.getToken());
      return true;
    } catch (error) {
      console.warn(error);
      return false;
    }
  });
}
