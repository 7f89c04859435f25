import { infiniteQueryOptions, useQueryClient } from "@tanstack/react-query";
import type { answerEarningsImport, EarningsImport } from "@tapthru/proto/earnings-imports";
import { EARNINGS_FILE_MAX_BYTES } from "@tapthru/proto/rules/limits";
import { messages } from "@tapthru/proto/rules/messages";
import type * as z from "zod/mini";
import { useErrorToast } from "../../components/ui/toaster.tsx";
import { EARNINGS_KEY, earningsImportsOptions } from "../../lib/earnings.ts";
import { callApi } from "../../lib/http/call-api.ts";
import { httpErrorOf } from "../../lib/http/http-client.ts";
import { sendableName } from "../../lib/sendable-name.ts";
import { useSingleMutation } from "../../lib/use-single-mutation.ts";

const PATH = "/api/earnings/imports";
const PROGRESS_INTERVAL_MS = 1_000;

/** Refetched while a file is read. */
export const importsOptions = infiniteQueryOptions({
  ...earningsImportsOptions,
  refetchInterval: ({ state }) =>
    state.data?.pages.flat().some((each) => each.state === "reading") ? PROGRESS_INTERVAL_MS : false,
});

/** For 50 MB over a slow connection. */
const UPLOAD_TIMEOUT_MS = 1_800_000;

class FileTooLargeError extends Error {}

export function useSendReports(onSent: (created: EarningsImport) => void) {
  const queryClient = useQueryClient();
  return useSingleMutation<EarningsImport, File>({
    mutationFn: async (file) => {
      if (file.size > EARNINGS_FILE_MAX_BYTES) throw new FileTooLargeError();
      return callApi("POST", PATH, {
        query: { name: sendableName(file.name) },
        file,
        headers: { "Content-Type": "application/octet-stream" },
        timeoutMs: UPLOAD_TIMEOUT_MS,
      });
    },
    async onSuccess(created) {
      await queryClient.invalidateQueries({ queryKey: [PATH] });
      onSent(created);
    },
  });
}

/** What a user can do about a file that was not accepted. */
export function sendErrorMessage(error: Error): string {
  if (error instanceof FileTooLargeError) return messages.earningsFileTooLarge;
  return refusalOf(error) ?? "The file could not be sent. Please try again.";
}

/** What the api says about a request that it refused. */
function refusalOf(error: Error): string | null {
  const failure = httpErrorOf(error);
  return failure !== null && failure.status < 500 && failure.code !== null ? failure.text : null;
}

export type Answers = z.input<(typeof answerEarningsImport)["body"]>;

export function useAnswer(id: string) {
  const queryClient = useQueryClient();
  return useSingleMutation<EarningsImport, Answers>({
    mutationFn: (body) => callApi("PATCH", "/api/earnings/imports/:id", { params: { id }, body }),
    onSettled: () => queryClient.invalidateQueries({ queryKey: [PATH] }),
  });
}

export const answerErrorMessage = (error: Error) => refusalOf(error) ?? "This could not be saved. Please try again.";

export function useStoreReports(id: string) {
  const queryClient = useQueryClient();
  const showError = useErrorToast();
  return useSingleMutation<EarningsImport, void>({
    mutationFn: () => callApi("POST", "/api/earnings/imports/:id/store", { params: { id } }),
    onSuccess: () => queryClient.removeQueries({ queryKey: EARNINGS_KEY }),
    onError: (error) => showError(refusalOf(error) ?? "The figures could not be stored. Please try again."),
    onSettled: () => queryClient.invalidateQueries({ queryKey: [PATH] }),
  });
}

export function useRemoveReports(id: string) {
  const queryClient = useQueryClient();
  const showError = useErrorToast();
  return useSingleMutation<void, void>({
    async mutationFn() {
      await callApi("DELETE", "/api/earnings/imports/:id", { params: { id } });
    },
    onSuccess: () => queryClient.removeQueries({ queryKey: EARNINGS_KEY }),
    onError(error) {
      if (httpErrorOf(error)?.status !== 404) showError("The import could not be removed. Please try again.");
    },
    onSettled: () => queryClient.invalidateQueries({ queryKey: [PATH] }),
  });
}
