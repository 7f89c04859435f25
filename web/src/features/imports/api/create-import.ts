import { useQueryClient } from "@tanstack/react-query";
import type { createImport as CreateImport, ImportWithLines } from "@tapthru/proto/http/imports";
import { IMPORT_FILE_MAX_BYTES } from "@tapthru/proto/rules/limits";
import { messages } from "@tapthru/proto/rules/messages";
import { callApi } from "../../../lib/http/call-api.ts";
import { httpErrorOf } from "../../../lib/http/http-client.ts";
import { useSingleMutation } from "../../../lib/use-single-mutation.ts";
import { IMPORTS_KEY } from "./get-import.ts";

/** A little longer than the api lets a file of 10 MB take. */
const UPLOAD_TIMEOUT_MS = 340_000;

export interface ImportFile {
  content: Blob;
  /** Null for pasted addresses. */
  name: string | null;
}

class FileTooLargeError extends Error {}

/** Sends a file, so that the api says what its lines will become. */
export function useCreateImport(onCreated: (created: ImportWithLines) => void) {
  const queryClient = useQueryClient();
  return useSingleMutation<ImportWithLines, ImportFile>({
    mutationFn: async ({ content, name }) => {
      if (content.size > IMPORT_FILE_MAX_BYTES) throw new FileTooLargeError();
      return callApi<typeof CreateImport>("POST", "/api/imports", {
        query: name === null ? {} : { name: sendableName(name) },
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

/** Names of files may have line breaks, and cutting may divide a character; the api refuses both. */
function sendableName(name: string): string {
  return name.slice(0, 200).replaceAll(/[\p{Cc}\p{Cs}\p{Zl}\p{Zp}]/gu, " ");
}

/** What a user can do about a file that was refused. */
export function uploadErrorMessage(error: Error): string {
  if (error instanceof FileTooLargeError) return messages.importFileTooLarge;
  const failure = httpErrorOf(error);
  const isAboutFile = failure !== null && failure.status < 500 && failure.code !== null;
  return isAboutFile ? failure.text : messages.failedToReadFile;
}
