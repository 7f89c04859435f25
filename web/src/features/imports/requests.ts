import { type QueryKey, useQueryClient } from "@tanstack/react-query";
import { useState } from "react";
import { useErrorToast } from "../../components/ui/toaster.tsx";
import { httpErrorOf } from "../../lib/http/http-client.ts";
import { useSingleMutation } from "../../lib/use-single-mutation.ts";

/** What the api says about a request that it refused. */
function refusalOf(error: Error): string | null {
  const failure = httpErrorOf(error);
  return failure !== null && failure.status < 500 && failure.code !== null ? failure.text : null;
}

interface Upload<File> {
  /** Of the imports, which are loaded again. */
  key: QueryKey;
  maxBytes: number;
  /** Said of a larger file. */
  tooLarge: string;
  send: (file: File) => Promise<{ id: string }>;
}

export function useUpload<File extends { content: Blob }>({ key, maxBytes, tooLarge, send }: Upload<File>) {
  const queryClient = useQueryClient();
  const [error, setError] = useState<string>();
  const { mutate, isPending } = useSingleMutation<{ id: string }, File>({
    mutationFn: send,
    onSuccess: () => queryClient.invalidateQueries({ queryKey: key }),
  });
  return {
    error,
    isPending,
    /** @param onSent not called after the page was left */
    upload(file: File, onSent: (id: string) => void) {
      if (file.content.size > maxBytes) return setError(tooLarge);
      setError(undefined);
      mutate(file, {
        onSuccess: ({ id }) => onSent(id),
        onError: (failure) => setError(refusalOf(failure) ?? "The file could not be sent. Please try again."),
      });
    },
  };
}

interface Change<Variables> {
  /** Of the imports, which are loaded again. */
  key: QueryKey;
  run: (variables: Variables) => Promise<unknown>;
  /** Said if the api says nothing. */
  failed: string;
}

/** A change of an import. That it no longer exists is no failure. */
export function useImportChange<Variables = void>({ key, run, failed }: Change<Variables>) {
  const queryClient = useQueryClient();
  const showError = useErrorToast();
  return useSingleMutation<unknown, Variables>({
    mutationFn: run,
    onError(error) {
      if (httpErrorOf(error)?.status !== 404) showError(refusalOf(error) ?? failed);
    },
    onSettled: () => queryClient.invalidateQueries({ queryKey: key }),
  });
}

const NAME_MAX_LENGTH = 200;

/** Names of files may have line breaks, and cutting may divide a character; the api refuses both. */
export function sendableName(name: string): string {
  return name.slice(0, NAME_MAX_LENGTH).replaceAll(/[\p{Cc}\p{Cs}\p{Zl}\p{Zp}]/gu, " ");
}
