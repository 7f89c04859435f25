import { useQueryClient } from "@tanstack/react-query";
import type {
  cancelImport as CancelImport,
  deleteImport as DeleteImport,
  startImport as StartImport,
} from "@tapthru/proto/http/imports";
import { messages } from "@tapthru/proto/rules/messages";
import { useErrorToast } from "../../../components/ui/toaster.tsx";
import { callApi } from "../../../lib/http/call-api.ts";
import { httpErrorOf, request } from "../../../lib/http/http-client.ts";
import { saveFile } from "../../../lib/save-file.ts";
import { useSingleMutation } from "../../../lib/use-single-mutation.ts";
import { IMPORTS_KEY } from "./get-import.ts";

const DOWNLOAD_TIMEOUT_MS = 120_000;

export function useStartImport(id: string) {
  const queryClient = useQueryClient();
  const showError = useErrorToast();
  return useSingleMutation<void, void>({
    async mutationFn() {
      await callApi<typeof StartImport>("POST", "/api/imports/:id/start", { params: { id } });
    },
    onError(error) {
      const failure = httpErrorOf(error);
      showError(failure?.status === 409 ? failure.text : messages.failedToStartImport);
    },
    onSettled: () => queryClient.invalidateQueries({ queryKey: IMPORTS_KEY }),
  });
}

export function useCancelImport(id: string) {
  const queryClient = useQueryClient();
  const showError = useErrorToast();
  return useSingleMutation<void, void>({
    async mutationFn() {
      await callApi<typeof CancelImport>("POST", "/api/imports/:id/cancel", { params: { id } });
    },
    onError() {
      showError(messages.failedToCancelImport);
    },
    onSettled: () => queryClient.invalidateQueries({ queryKey: IMPORTS_KEY }),
  });
}

export function useDeleteImport(id: string) {
  const queryClient = useQueryClient();
  const showError = useErrorToast();
  return useSingleMutation<void, void>({
    async mutationFn() {
      await callApi<typeof DeleteImport>("DELETE", "/api/imports/:id", { params: { id } });
    },
    onError(error) {
      const failure = httpErrorOf(error);
      if (failure?.status === 404) return;
      showError(failure?.status === 409 ? failure.text : messages.failedToDeleteImport);
    },
    onSettled: () => queryClient.invalidateQueries({ queryKey: IMPORTS_KEY }),
  });
}

export function useDownloadResult(id: string) {
  const showError = useErrorToast();
  return useSingleMutation<void, void>({
    async mutationFn() {
      const { body } = await request("GET", "/api/imports/:id", {
        params: { id },
        headers: { Accept: "text/csv, application/problem+json" },
        timeoutMs: DOWNLOAD_TIMEOUT_MS,
      });
      const file = new Blob([String(body)], { type: "text/csv" });
      saveFile(file, messages.importResultFileName(id));
    },
    onError() {
      showError(messages.failedToDownloadCsv);
    },
  });
}
