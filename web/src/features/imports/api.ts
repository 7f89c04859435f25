import { infiniteQueryOptions, keepPreviousData, queryOptions, useQueryClient } from "@tanstack/react-query";
import type { ImportFilter, ImportState, ImportWithLines } from "@tapthru/proto/imports";
import { IMPORT_FILE_MAX_BYTES } from "@tapthru/proto/rules/limits";
import { messages } from "@tapthru/proto/rules/messages";
import type { ChannelChoice } from "../../components/channel-fields.tsx";
import { useErrorToast } from "../../components/ui/toaster.tsx";
import { callApi } from "../../lib/http/call-api.ts";
import { httpErrorOf, request } from "../../lib/http/http-client.ts";
import { FAILED_TO_DOWNLOAD_CSV, saveFile } from "../../lib/save-file.ts";
import { sendableName } from "../../lib/sendable-name.ts";
import { useSingleMutation } from "../../lib/use-single-mutation.ts";

const PATH = "/api/imports";
const IMPORTS_KEY = [PATH];
const PROGRESS_INTERVAL_MS = 1_000;
const LINES_PER_PAGE = 50;

/** Refetched while an import is running, so that progress is shown. */
export const importsOptions = queryOptions({
  queryKey: [...IMPORTS_KEY, "list"],
  queryFn: ({ signal }) => callApi("GET", PATH, { signal }),
  staleTime: 0,
  refetchOnWindowFocus: true,
  refetchInterval: ({ state }) => (state.data?.some((each) => each.state === "running") ? PROGRESS_INTERVAL_MS : false),
});

/** The lines of an import in one of its states. */
export function importLinesOptions(id: string, state: ImportState, show: ImportFilter) {
  return infiniteQueryOptions({
    queryKey: [...IMPORTS_KEY, id, state, show],
    queryFn: ({ pageParam, signal }) =>
      callApi("GET", "/api/imports/:id", {
        params: { id },
        query: { show, after: String(pageParam), limit: String(LINES_PER_PAGE) },
        signal,
      }),
    initialPageParam: 0,
    getNextPageParam: ({ nextAfter }) => nextAfter,
    placeholderData: keepPreviousData,
  });
}

/** A little longer than the api lets a file of 10 MB take. */
const UPLOAD_TIMEOUT_MS = 340_000;

export interface ImportFile {
  content: Blob;
  /** Null for pasted addresses. */
  name: string | null;
  /** Of the links; null: the site's own host; undefined: the user's default. */
  domain: string | null | undefined;
  channel: ChannelChoice;
}

class FileTooLargeError extends Error {}

/** Sends a file, so that the api says what its lines will become. */
export function useCreateImport(onCreated: (created: ImportWithLines) => void) {
  const queryClient = useQueryClient();
  return useSingleMutation<ImportWithLines, ImportFile>({
    mutationFn: async ({ content, name, domain, channel: { channelId, usesChannelTag } }) => {
      if (content.size > IMPORT_FILE_MAX_BYTES) throw new FileTooLargeError();
      return callApi("POST", "/api/imports", {
        query: {
          ...(name !== null && { name: sendableName(name) }),
          ...(domain !== undefined && { domain: domain ?? "" }),
          ...(channelId !== null && { channel: String(channelId) }),
          ...(usesChannelTag && { usesChannelTag: "true" }),
        },
        file: content,
        headers: { "Content-Type": "text/csv" },
        timeoutMs: UPLOAD_TIMEOUT_MS,
      });
    },
    async onSuccess(created) {
      await queryClient.invalidateQueries({ queryKey: IMPORTS_KEY });
      onCreated(created);
    },
  });
}

/** What a user can do about a file that was refused. */
export function uploadErrorMessage(error: Error): string {
  if (error instanceof FileTooLargeError) return messages.importFileTooLarge;
  const failure = httpErrorOf(error);
  const isAboutFile = failure !== null && failure.status < 500 && failure.code !== null;
  return isAboutFile ? failure.text : "The file could not be sent. Please try again.";
}

const DOWNLOAD_TIMEOUT_MS = 120_000;

export function useRepairImport(id: string) {
  const queryClient = useQueryClient();
  const showError = useErrorToast();
  return useSingleMutation<void, void>({
    async mutationFn() {
      await callApi("POST", "/api/imports/:id/repair", { params: { id } });
    },
    onError: () => showError("The addresses could not be repaired. Please try again."),
    onSettled: () => queryClient.invalidateQueries({ queryKey: IMPORTS_KEY }),
  });
}

export function useStartImport(id: string) {
  const queryClient = useQueryClient();
  const showError = useErrorToast();
  return useSingleMutation<void, void>({
    async mutationFn() {
      await callApi("POST", "/api/imports/:id/start", { params: { id } });
    },
    onError(error) {
      const failure = httpErrorOf(error);
      showError(failure?.status === 409 ? failure.text : "The import could not be started. Please try again.");
    },
    onSettled: () => queryClient.invalidateQueries({ queryKey: IMPORTS_KEY }),
  });
}

export function useCancelImport(id: string) {
  const queryClient = useQueryClient();
  const showError = useErrorToast();
  return useSingleMutation<void, void>({
    async mutationFn() {
      await callApi("POST", "/api/imports/:id/cancel", { params: { id } });
    },
    onError() {
      showError("The import could not be cancelled. Please try again.");
    },
    onSettled: () => queryClient.invalidateQueries({ queryKey: IMPORTS_KEY }),
  });
}

export function useDeleteImport(id: string) {
  const queryClient = useQueryClient();
  const showError = useErrorToast();
  return useSingleMutation<void, void>({
    async mutationFn() {
      await callApi("DELETE", "/api/imports/:id", { params: { id } });
    },
    onError(error) {
      const failure = httpErrorOf(error);
      if (failure?.status === 404) return;
      showError(failure?.status === 409 ? failure.text : "The import could not be deleted. Please try again.");
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
      saveFile(file, `import-${id.slice(0, 8)}.csv`);
    },
    onError() {
      showError(FAILED_TO_DOWNLOAD_CSV);
    },
  });
}
