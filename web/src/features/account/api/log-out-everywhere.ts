import type { endAllSessions as EndAllSessions } from "@tapthru/proto/http/sessions";
import { messages } from "@tapthru/proto/rules/messages";
import { useErrorToast } from "../../../components/ui/toaster.tsx";
import { callApi } from "../../../lib/http/call-api.ts";
import { useSingleMutation } from "../../../lib/use-single-mutation.ts";

/** @param onDone called after all sessions have ended, to log out this browser */
export function useLogOutEverywhere(onDone: () => Promise<void>) {
  const showError = useErrorToast();
  return useSingleMutation<unknown, void>({
    async mutationFn() {
      await callApi<typeof EndAllSessions>("DELETE", "/api/sessions", {});
    },
    onSuccess: onDone,
    onError() {
      showError(messages.failedToLogOut);
    },
  });
}
