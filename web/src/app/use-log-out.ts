import { messages } from "@tapthru/proto/rules/messages";
import { useEffect } from "react";
import { useLocation, useNavigate } from "react-router-dom";
import { useToast } from "../components/ui/toaster.tsx";
import { useSession, useSessionHandle } from "../features/session/session-context.tsx";
import { paths } from "./paths.ts";

/**
 * Logs out everywhere and ends on the start page; until then no guard sends anybody elsewhere.
 * @param description what the toast then says
 */
export function useLogOut(description: string = messages.loggedOut): () => Promise<void> {
  const toast = useToast();
  const navigate = useNavigate();
  const { pathname } = useLocation();
  const { store, load } = useSessionHandle();
  const { status, isLoggingOut } = useSession();

  const isLogoutDone = isLoggingOut && status === "signed-out" && pathname === paths.home;
  useEffect(() => {
    if (isLogoutDone) store.set({ isLoggingOut: false });
  }, [isLogoutDone, store]);

  async function logOut() {
    if (isLoggingOut) return;
    try {
      await (await load()).logOut();
    } catch {
      toast({
        variant: "destructive",
        title: messages.error,
        description: messages.failedToLogOut,
      });
      return;
    }
    toast({ title: messages.success, description });
    navigate(paths.home);
  }

  return logOut;
}
