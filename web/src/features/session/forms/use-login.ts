import { useToast } from "../../../components/ui/toaster.tsx";
import type { Identity, IdentityProvider } from "../identity-provider.ts";
import { withExclusiveTabLock } from "../tab-lock.ts";
import { useSessionLock } from "../use-session-lock.ts";

type SignIn = (provider: IdentityProvider) => Promise<Identity> | undefined;

/** Logs in at the identity provider, then to the backend. The page redirects when the session changes. */
export function useLogin(): (signIn: SignIn) => Promise<void> {
  const toast = useToast();
  const sessionLock = useSessionLock();
  return async (signIn) => {
    const { provider, logInToBackend } = await sessionLock.acquire();
    await withExclusiveTabLock(async () => {
      const identity = await signIn(await provider());
      if (identity) await logInToBackend(identity);
    });
    toast({ title: "Success", description: "Logged in successfully" });
    sessionLock.release();
  };
}
