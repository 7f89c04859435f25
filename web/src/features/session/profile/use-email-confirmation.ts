import { useMemo } from "react";
import { logIn } from "../api.ts";
import { useLazySession } from "../session-context.tsx";

/** Confirms the address of the signed-in user. The backend learns of it by a login with a new token. */
export function useEmailConfirmation() {
  const { load } = useLazySession();
  return useMemo(
    () => ({
      async send() {
        const identityProvider = await (await load()).provider();
        await identityProvider.sendEmailConfirmation();
      },
      async adopt() {
        const identityProvider = await (await load()).provider();
        const identity = identityProvider.current();
        if (identity === null) return;
        await logIn(identity.uid, await identityProvider.getToken({ fresh: true }));
      },
    }),
    [load],
  );
}
