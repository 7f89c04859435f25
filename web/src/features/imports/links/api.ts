import { infiniteQueryOptions, keepPreviousData, queryOptions, useQuery, useQueryClient } from "@tanstack/react-query";
import type { ImportFilter, ImportState } from "@tapthru/proto/imports";
import { IMPORT_FILE_MAX_BYTES } from "@tapthru/proto/rules/limits";
import { messages } from "@tapthru/proto/rules/messages";
import { useEffect, useRef } from "react";
import type { ChannelChoice } from "../../../components/channel-fields.tsx";
import { callApi } from "../../../lib/http/call-api.ts";
import { pollDelay } from "../../../lib/http/query-presets.ts";
import { LINK_LISTS_KEY, refreshLinkLists } from "../../../lib/link-lists.ts";
import { sendableName, useImportChange, useUpload } from "../requests.ts";

const PATH = "/api/imports";
const key = [PATH];
const LINES_PER_PAGE = 50;

/** Refetched while an import is running, so that progress is shown. */
export const importsOptions = queryOptions({
  queryKey: [...key, "list"],
  queryFn: ({ signal }) => callApi("GET", PATH, { signal }),
  staleTime: 0,
  refetchOnWindowFocus: true,
  refetchInterval({ state: { data, error } }) {
    const running = data?.find(({ state }) => state === "running");
    return running ? pollDelay(running.startedAt ?? running.createdAt, error) : false;
  },
});

/** The lines of an import in one of its states. */
export function importLinesOptions(id: string, state: ImportState, show: ImportFilter) {
  return infiniteQueryOptions({
    queryKey: [...key, id, state, show],
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

/** Sends a file, so that the api says what its lines will become. */
export const useLinksUpload = () =>
  useUpload<ImportFile>({
    key,
    maxBytes: IMPORT_FILE_MAX_BYTES,
    tooLarge: messages.importFileTooLarge,
    send: ({ content, name, domain, channel: { channelId, usesChannelTag } }) =>
      callApi("POST", PATH, {
        query: {
          ...(name !== null && { name: sendableName(name) }),
          ...(domain !== undefined && { domain: domain ?? "" }),
          ...(channelId !== null && { channel: String(channelId) }),
          ...(usesChannelTag && { usesChannelTag: "true" }),
        },
        file: content,
        headers: { "Content-Type": "text/csv" },
        timeoutMs: UPLOAD_TIMEOUT_MS,
      }),
  });

export const useStartImport = (id: string) =>
  useImportChange({
    key,
    run: () => callApi("POST", "/api/imports/:id/start", { params: { id } }),
    failed: "The import could not be started. Please try again.",
  });

export const useRepairImport = (id: string) =>
  useImportChange({
    key,
    run: () => callApi("POST", "/api/imports/:id/repair", { params: { id } }),
    failed: "The addresses could not be repaired. Please try again.",
  });

export const useCancelImport = (id: string) =>
  useImportChange({
    key,
    run: () => callApi("POST", "/api/imports/:id/cancel", { params: { id } }),
    failed: "The import could not be cancelled. Please try again.",
  });

export const useDeleteImport = (id: string) =>
  useImportChange({
    key,
    run: () => callApi("DELETE", "/api/imports/:id", { params: { id } }),
    failed: "The import could not be deleted. Please try again.",
  });

/**
 * Refetches what a page shows when an import ends: lists, labels, stores and clicks. While it is running, lists of links are
 * refetched when they are shown again. Requests imports only if a page did before, in the same session.
 */
export function useRefreshOfLinks(): void {
  const queryClient = useQueryClient();
  const isKnown = queryClient.getQueryData(importsOptions.queryKey) !== undefined;
  const { data: imports } = useQuery({ ...importsOptions, enabled: isKnown });
  const runningId = imports?.find(({ state }) => state === "running")?.id ?? null;
  const created = imports?.reduce((sum, { counts }) => sum + counts.created, 0);
  const previousId = useRef(runningId);

  useEffect(() => {
    if (created === undefined) return;
    queryClient.invalidateQueries({ queryKey: LINK_LISTS_KEY, refetchType: "none" });
  }, [queryClient, created]);

  useEffect(() => {
    const hasEnded = previousId.current !== null && previousId.current !== runningId;
    previousId.current = runningId;
    if (!hasEnded) return;
    refreshLinkLists(queryClient);
    queryClient.invalidateQueries();
  }, [queryClient, runningId]);
}
