import type { deleteAccount as DeleteAccount } from "@tapthru/proto/http/own-account";
import { messages } from "@tapthru/proto/rules/messages";
import { useRef } from "react";
import { useErrorToast } from "../../../components/ui/toaster.tsx";
import { callApi } from "../../../lib/http/call-api.ts";
import { HttpError, NetworkError } from "../../../lib/http/http-client.ts";
import { useSingleMutation } from "../../../lib/use-single-mutation.ts";
import { openDeletionChannel } from "../deletion-channel.ts";

/**
 * Deletes the account. A 401 means that it was deleted if the reply of an earlier attempt was lost, or if another tab has
 * deleted it.
 * @param onDone called after the deletion, to log out this browser
 */
export function useDeleteAccount(onDone: () => Promise<void>) {
  const showError = useErrorToast();
  const isReplyLost = useRef(false);
  return useSingleMutation<void, { email: string }>({
    async mutationFn(body) {
      const channel = openDeletionChannel();
      try {
        await callApi<typeof DeleteAccount>("DELETE", "/api/account", { body });
        channel.announce();
      } catch (error) {
        isReplyLost.current ||= error instanceof NetworkError;
        const isRefused = error instanceof HttpError && error.status === 401;
        if (isRefused && (isReplyLost.current || (await channel.isDeletedByOtherTab()))) return;
        throw error;
      } finally {
        channel.close();
      }
    },
    onSuccess: onDone,
    onError() {
      showError(messages.failedToDeleteAccount);
    },
  });
}
