import type { deleteAccount as DeleteAccount } from "@tapthru/proto/http/own-account";
import { messages } from "@tapthru/proto/rules/messages";
import { useRef } from "react";
import { useErrorToast } from "../../../components/ui/toaster.tsx";
import { callApi } from "../../../lib/http/call-api.ts";
import { HttpError, NetworkError } from "../../../lib/http/http-client.ts";
import { useSingleMutation } from "../../../lib/use-single-mutation.ts";

/**
 * Deletes the account. After a lost reply, a 401 to the next attempt means that the account was deleted.
 * @param onDone called after the deletion, to log out this browser
 */
export function useDeleteAccount(onDone: () => Promise<void>) {
  const showError = useErrorToast();
  const isReplyLost = useRef(false);
  return useSingleMutation<void, { email: string }>({
    async mutationFn(body) {
      try {
        await callApi<typeof DeleteAccount>("DELETE", "/api/account", { body });
      } catch (error) {
        if (isReplyLost.current && error instanceof HttpError && error.status === 401) return;
        isReplyLost.current ||= error instanceof NetworkError;
        throw error;
      }
    },
    onSuccess: onDone,
    onError() {
      showError(messages.failedToDeleteAccount);
    },
  });
}
