import { messages } from "@tapthru/proto/rules/messages";
import { useCallback } from "react";
import { replaceSessions } from "../api.ts";
import { useLazySession } from "../session-context.tsx";
import { profileError } from "../session-errors.ts";
import { withExclusiveTabLock } from "../tab-lock.ts";

/**
 * A function that logs this browser in again with the password, for actions that need a recent login. Sessions of other
 * browsers end. @returns why this failed, otherwise null
 */
export function useLoginRenewal(): (password: string) => Promise<string | null> {
  const { load } = useLazySession();
  return useCallback(
    async (password) => {
      try {
        const { provider } = await load();
        await withExclusiveTabLock(async () => {
          const identityProvider = await provider();
          await identityProvider.reauthenticate(password);
          await replaceSessions(await identityProvider.getToken());
        });
        return null;
      } catch (error) {
        const [, message] = profileError(error, messages.failedToConfirmPassword);
        return message;
      }
    },
    [load],
  );
}
