import { paths } from "@tapthru/proto/rules/paths";
import { useEffect } from "react";
import { useLocation, useNavigate } from "react-router-dom";
import { useErrorToast, useToast } from "../components/ui/toaster.tsx";
import { useSession, useSessionControl } from "../features/session/session-context.tsx";
import { namedAccount } from "../lib/account-address.ts";
import { leaveTo } from "../lib/leave.ts";

/**
 * Logs out of the backend and the identity provider, then goes to the start page. Until then, route guards do not
 * redirect.
 * @param description text of the success toast
 */
export function useLogOut(description: string = "You have been logged out successfully."): () => Promise<void> {
  const toast = useToast();
  const showError = useErrorToast();
  const navigate = useNavigate();
  const { pathname } = useLocation();
  const session = useSessionControl();
  const { status, isLoggingOut } = useSession();

  const isLogoutDone = isLoggingOut && status === "signed-out" && pathname === paths.home;
  useEffect(() => {
    if (isLogoutDone) session.set({ isLoggingOut: false });
  }, [isLogoutDone, session]);

  async function logOut() {
    if (isLoggingOut) return;
    try {
      await session.logOut();
    } catch {
      showError("Failed to log out. Please try again.");
      return;
    }
    toast({ title: "Success", description });
    if (namedAccount() === null) navigate(paths.home);
    else leaveTo(paths.home);
  }

  return logOut;
}
