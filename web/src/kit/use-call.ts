import { type QueryClient, useQueryClient } from "@tanstack/react-query";
import { useEffect, useRef } from "react";
import { useErrorToast, useToast } from "../components/ui/toaster.tsx";
import { type CallName, callApi, type InputOf, methodAndPath, type ReplyTo } from "../lib/http/call-api.ts";
import { errorText, type HttpError, httpErrorOf, isNetworkFailure, refusalOf } from "../lib/http/http-client.ts";
import { refreshAfter } from "../lib/link-lists.ts";
import { useSingleMutation } from "../lib/use-single-mutation.ts";

const FAILED = "That did not work. Please try again.";
const REPLY_LOST = "No reply arrived. Please look whether the change was made before you try again.";

export interface CallTexts<Name extends CallName> {
  /** Said in a toast. Nothing by default. */
  done?: string | ((reply: ReplyTo<Name>, input: InputOf<Name>) => string) | undefined;
  /** Said if the cause of a failure is unknown. */
  failed?: string | undefined;
  /** Said if no reply arrived. By default `failed`. */
  replyLost?: string | undefined;
  /** Said if the object does not exist any more, which is then no failure. */
  gone?: string | undefined;
  /** The call that undoes it, for a button in the toast. */
  undo?: ((reply: ReplyTo<Name>, input: InputOf<Name>) => InputOf<Name> | null) | undefined;
}

interface Callbacks<Name extends CallName> {
  /** @param reply undefined if the object did not exist any more */
  onDone?: ((reply: ReplyTo<Name> | undefined) => void) | undefined;
  /** Shows the failure instead of a toast. */
  onFailed?: ((message: string, refusal: HttpError | null) => void) | undefined;
  /** In both cases, before `onDone`. */
  onSettled?: (() => void) | undefined;
}

/**
 * A call that changes something. A second one is ignored while it runs. It says in a toast what happened, also after the
 * page was left, and refetches what it has changed.
 */
export function useCall<Name extends CallName>(name: Name, texts: CallTexts<Name> = {}) {
  const { done, failed = FAILED, replyLost = texts.failed ?? REPLY_LOST, gone, undo } = texts;
  const queryClient = useQueryClient();
  const toast = useToast();
  const showError = useErrorToast();
  const isMounted = useIsMounted();
  const onFailed = useRef<Callbacks<Name>["onFailed"]>(undefined);

  const mutation = useSingleMutation({
    // The reply may contain a secret.
    gcTime: 0,
    async mutationFn(input: InputOf<Name>): Promise<{ reply: ReplyTo<Name> | undefined }> {
      try {
        return { reply: await callApi(name, input) };
      } catch (error) {
        if (gone === undefined || httpErrorOf(error)?.status !== 404) throw error;
        return { reply: undefined };
      }
    },
    onSuccess({ reply }, input) {
      updateList(queryClient, name, input, reply);
      if (reply === undefined) toast({ description: gone ?? "" });
      else if (done !== undefined) {
        const before = undo?.(reply, input);
        toast({
          description: typeof done === "string" ? done : done(reply, input),
          ...(before && {
            action: { label: "Undo", altText: "Undo it on the page", onSelect: () => mutation.mutate(before) },
          }),
        });
      }
    },
    onError(error) {
      const message = errorText(error, isNetworkFailure(error) ? replyLost : failed);
      if (isMounted.current && onFailed.current) onFailed.current(message, refusalOf(error));
      else showError(message);
    },
    // Also after a failure: the change may have been made, unless the schemas are missing, without which nothing was sent.
    onSettled: () => void refreshAfter(queryClient, name).catch(() => {}),
  });

  return {
    isPending: mutation.isPending,
    /** What is being sent. */
    sent: mutation.isPending ? mutation.variables : undefined,
    call(input: InputOf<Name>, callbacks: Callbacks<Name> = {}) {
      onFailed.current = callbacks.onFailed;
      const { onDone, onSettled } = callbacks;
      mutation.mutate(input, {
        onSuccess({ reply }) {
          onSettled?.();
          onDone?.(reply);
        },
        onError: () => onSettled?.(),
      });
    },
  };
}

export function useIsMounted() {
  const isMounted = useRef(true);
  useEffect(() => {
    isMounted.current = true;
    return () => {
      isMounted.current = false;
    };
  }, []);
  return isMounted;
}

/** Replaces or removes an object in the cached list of its resource, so that it is right before the list is refetched. */
function updateList(queryClient: QueryClient, name: CallName, input: object, reply: unknown): void {
  const [method, path] = methodAndPath(name);
  const [list = "", key = ""] = path.split("/:");
  const value = "params" in input && (input.params as Record<string, string>)[key];
  if (!value) return;
  queryClient.setQueryData<unknown>([list], (items: unknown) => {
    if (!Array.isArray(items)) return items;
    const isIt = (item: Record<string, unknown>) => String(item[key]) === value;
    if (method === "DELETE") return items.filter((item) => !isIt(item));
    return items.map((item) => (isIt(item) ? Object.assign({}, item, reply) : item));
  });
}
