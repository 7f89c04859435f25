import { infiniteQueryOptions, useQueryClient } from "@tanstack/react-query";
import type { answerEarningsImport, EarningsImport } from "@tapthru/proto/earnings-imports";
import { EARNINGS_FILE_MAX_BYTES } from "@tapthru/proto/rules/limits";
import { messages } from "@tapthru/proto/rules/messages";
import type * as z from "zod/mini";
import { EARNINGS_KEY, earningsImportsOptions } from "../../../lib/earnings.ts";
import { callApi } from "../../../lib/http/call-api.ts";
import { pollDelay } from "../../../lib/http/query-presets.ts";
import { sendableName, useImportChange, useUpload } from "../requests.ts";

const PATH = "/api/earnings/imports";
const key = [PATH];

/** Refetched while a file is read. */
export const importsOptions = infiniteQueryOptions({
  ...earningsImportsOptions,
  refetchInterval({ state: { data, error } }) {
    const reading = data?.pages.flat().find(({ state }) => state === "reading");
    return reading ? pollDelay(reading.createdAt, error) : false;
  },
});

export const nameOfReports = ({ fileName }: EarningsImport) => fileName ?? "Reports from Amazon";

/** For 50 MB over a slow connection. */
const UPLOAD_TIMEOUT_MS = 1_800_000;

export const useReportsUpload = () =>
  useUpload<{ content: File }>({
    key,
    maxBytes: EARNINGS_FILE_MAX_BYTES,
    tooLarge: messages.earningsFileTooLarge,
    send: ({ content }) =>
      callApi("POST", PATH, {
        query: { name: sendableName(content.name) },
        file: content,
        headers: { "Content-Type": "application/octet-stream" },
        timeoutMs: UPLOAD_TIMEOUT_MS,
      }),
  });

export type Answers = z.input<(typeof answerEarningsImport)["body"]>;

export const useAnswer = (id: string) =>
  useImportChange<Answers>({
    key,
    run: (body) => callApi("PATCH", "/api/earnings/imports/:id", { params: { id }, body }),
    failed: "This could not be saved. Please try again.",
  });

export function useStoreReports(id: string) {
  const queryClient = useQueryClient();
  return useImportChange({
    key,
    async run() {
      await callApi("POST", "/api/earnings/imports/:id/store", { params: { id } });
      queryClient.removeQueries({ queryKey: EARNINGS_KEY });
    },
    failed: "The figures could not be stored. Please try again.",
  });
}

export function useRemoveReports(id: string) {
  const queryClient = useQueryClient();
  return useImportChange({
    key,
    async run() {
      await callApi("DELETE", "/api/earnings/imports/:id", { params: { id } });
      queryClient.removeQueries({ queryKey: EARNINGS_KEY });
    },
    failed: "The import could not be removed. Please try again.",
  });
}
