import { useQueryClient } from "@tanstack/react-query";
import type {
  deleteImport as DeleteImport,
  startImport as StartImport,
} from "@tapthru/proto/http/imports";
import { messages } from "@tapthru/proto/rules/messages";
import { useErrorToast } from "../../../components/ui/toaster.tsx";
import { callApi } from "../../../lib/http/call-api.ts";
import { httpErrorOf, request } from "../../../lib/http/http-client.ts";
import { LINK_LISTS_KEY } from "../../../lib/link-lists.ts";
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

/** Cancels a running import, and deletes another one. */
export function useDeleteImport(id: string) {
  const queryClient = useQueryClient();
  const showError = useErrorToast();
  return useSingleMutation<void, void>({
    async mutationFn() {
      await callApi<typeof DeleteImport>("DELETE", "/api/imports/:id", { params: { id } });
    },
    onError(error) {
      if (httpErrorOf(error)?.status !== 404) showError(messages.failedToCancelImport);
    },
    async onSettled() {
      await queryClient.invalidateQueries({ queryKey: IMPORTS_KEY });
      await queryClient.invalidateQueries({ queryKey: LINK_LISTS_KEY });
    },
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
