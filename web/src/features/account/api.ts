import { queryOptions } from "@tanstack/react-query";
import { messages } from "@tapthru/proto/rules/messages";
import { useRef } from "react";
import { useErrorToast } from "../../components/ui/toaster.tsx";
import { useConfig } from "../../lib/config.ts";
import { callApi } from "../../lib/http/call-api.ts";
import { HttpError, httpErrorOf, NetworkError } from "../../lib/http/http-client.ts";
import { saveFile } from "../../lib/save-file.ts";
import { finishesWithin } from "../../lib/timeouts.ts";
import { useSingleMutation } from "../../lib/use-single-mutation.ts";

const PATH = "/api/sessions";

/** Always stale, so that each visit to the page refetches it. */
export const sessionsOptions = queryOptions({
  queryKey: [PATH],
  queryFn: ({ signal }) => callApi("GET", PATH, { signal }),
  staleTime: 0,
});

/** @param onDone called after all sessions have ended, to log out this browser */
export function useLogOutEverywhere(onDone: () => Promise<void>) {
  const showError = useErrorToast();
  return useSingleMutation<unknown, void>({
    async mutationFn() {
      await callApi("DELETE", "/api/sessions", {});
    },
    onSuccess: onDone,
    onError() {
      showError(messages.failedToLogOut);
    },
  });
}

/** Long enough for 100,000 links over a mobile network. */
const EXPORT_TIMEOUT_MS = 300_000;

/** Downloads all data stored about the user as a JSON file. */
export function useExportAccount() {
  const { productName } = useConfig();
  const showError = useErrorToast();
  return useSingleMutation<void, void>({
    async mutationFn() {
      const data = await callApi("GET", "/api/account/export", {
        timeoutMs: EXPORT_TIMEOUT_MS,
      });
      const file = new Blob([JSON.stringify(data, null, 2)], { type: "application/json" });
      saveFile(file, messages.exportFileName(productName, data.exportedAt.slice(0, 10)));
    },
    onError() {
      showError(messages.failedToDownloadData);
    },
  });
}

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
      const remove = () => callApi("DELETE", "/api/account", { body: { email } });
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

const CHANNEL_NAME = "account deletion";

/** A tab that deletes the account gets its reply at about the time at which this tab's request is refused. */
const OTHER_TAB_WAIT_MS = 1_000;

/** Connects this tab with the other tabs of this browser while it deletes the account. */
function openDeletionChannel() {
  const channel = new BroadcastChannel(CHANNEL_NAME);
  const deletion = new Promise((resolve) => {
    channel.onmessage = resolve;
  });

  return {
    /** Informs the other tabs that the account was deleted. */
    announce: () => channel.postMessage(null),
    /** Whether another tab has deleted the account since this one opened the channel. */
    isDeletedByOtherTab: () => finishesWithin(OTHER_TAB_WAIT_MS, deletion),
    close: () => channel.close(),
  };
}
