import { useEffect } from "react";
import { getUser } from "../api/get-user.ts";
import { useSessionHandle } from "../session-context.tsx";

/** Fetches the account again when the user comes back from another tab, which may have changed it. */
export function useFreshAccount(): void {
  const { store } = useSessionHandle();
  useEffect(() => {
    async function refresh() {
      const { user, account: shown } = store.get();
      if (!user) return;
      try {
        const account = await getUser(user.uid);
        const isCurrent = store.get().user?.uid === user.uid && store.get().account === shown;
        if (isCurrent) store.set({ account });
      } catch (error) {
        console.warn(error);
      }
    }
    addEventListener("focus", refresh);
    return () => removeEventListener("focus", refresh);
  }, [store]);
}
