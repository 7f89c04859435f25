import type { deleteAccount as DeleteAccount } from "@tapthru/proto/http/own-account";
import { messages } from "@tapthru/proto/rules/messages";
import { useRef } from "react";
import { useErrorToast } from "../../../components/ui/toaster.tsx";
import { callApi } from "../../../lib/http/call-api.ts";
import { HttpError, httpErrorOf, NetworkError } from "../../../lib/http/http-client.ts";
import { useSingleMutation } from "../../../lib/use-single-mutation.ts";
import { openDeletionChannel } from "../deletion-channel.ts";

/** Logs in again. @returns why this failed, otherwise null */
export type RenewLogin = (password: string) => Promise<string | null>;

/** The message says why the password was refused. */
export class PasswordRefusedError extends Error {}

export const needsRecentLogin = (error: unknown) =>
  httpErrorOf(error)?.code === "recent-login-required";

/**
 * Deletes the account. The api requires a recent login: then the deletion fails, and is repeated with the password. A 401
 * means that the account was deleted if the reply of an earlier attempt was lost, or if another tab has deleted it.
 * @param onDone called after the deletion, to log out this browser
 */
export function useDeleteAccount(renewLogin: RenewLogin, onDone: () => Promise<void>) {
  const showError = useErrorToast();
  const isReplyLost = useRef(false);
  return useSingleMutation<void, { email: string; password: string | null }>({
    async mutationFn({ email, password }) {
      const remove = () =>
        callApi<typeof DeleteAccount>("DELETE", "/api/account", { body: { email } });
      const channel = openDeletionChannel();
      try {
        await remove().catch(async (error) => {
          if (password === null || !needsRecentLogin(error)) throw error;
          const refusal = await renewLogin(password);
          if (refusal !== null) throw new PasswordRefusedError(refusal);
          await remove();
        });
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
    onError(error) {
      const asksPassword = needsRecentLogin(error) || error instanceof PasswordRefusedError;
      if (!asksPassword) showError(messages.failedToDeleteAccount);
    },
  });
}
