import { type QueryClient, useQueryClient } from "@tanstack/react-query";
import { useEffect, useRef } from "react";
import type { ToastContent } from "../components/ui/toast-viewport.tsx";
import { useToast } from "../components/ui/toaster.tsx";
import { type CallName, callApiForReply, type InputOf, type ReplyTo } from "../lib/http/call-api.ts";
import {
  errorText,
  type HttpError,
  httpErrorOf,
  isNetworkFailure,
  refusalOf,
  SaidError,
} from "../lib/http/http-client.ts";
import { loadSchemas } from "../lib/http/load-schemas.ts";
import { applyReply, refreshAfter } from "../lib/link-lists.ts";
import { useSingleMutation } from "./use-single-mutation.ts";

const FAILED = "That did not work. Please try again.";
const REPLY_LOST = "No reply arrived. Please check whether the change was made before you try again.";

/** @template Input what `send` gets, if it is not the input of the call */
export interface CallTexts<Name extends CallName, Input = InputOf<Name>, Reply = ReplyTo<Name>> {
  /** The user answers a question first. Without one, a call whose effect cannot be undone is refused. */
  isAsked?: boolean | undefined;
  /** Said in a toast. Nothing by default. */
  done?: string | ToastContent | ((reply: Reply, input: Input) => string) | undefined;
  /** Changes what other pages show, also after the page was left. */
  apply?: ((reply: Reply) => void) | undefined;
  /** Said if the cause of a failure is unknown. */
  failed?: string | undefined;
  /** Said if no reply arrived. By default `failed`. */
  replyLost?: string | undefined;
  /** Said if the object does not exist any more, which is then no failure. */
  gone?: string | ToastContent | undefined;
  /** The input that undoes it, also if only a part was done, or what does so, for a button in the toast. */
  undo?: ((reply: Reply, input: Input) => Input | (() => void) | null) | undefined;
  /** Shows the change before the reply. @returns takes it back after a failure */
  ahead?: ((queryClient: QueryClient, input: Input) => Promise<() => void>) | undefined;
  /** Calls run one after another. By default, a second one is ignored while one runs. */
  isQueued?: boolean | undefined;
  /** The page of what it deletes is about to close. */
  isLast?: boolean | undefined;
  /** Sends it in several requests, and throws if one of them failed: `DoneInPart` after one that did not. */
  send?: ((input: Input) => Promise<Reply>) | undefined;
}

interface Callbacks<Reply> {
  /** As the others, not called after the page was left. @param reply undefined if the object did not exist any more */
  onDone?: ((reply: Reply | undefined) => void) | undefined;
  /** Shows the failure instead of a toast. */
  onFailed?: ((message: string, refusal: HttpError | null, error: Error) => void) | undefined;
  /** In both cases, before `onDone`. */
  onSettled?: (() => void) | undefined;
}

/** Of a call of several requests: a part of its input was done, and the rest was not. */
export class DoneInPart<Reply> extends SaidError {
  readonly reply: Reply;

  /** @param reply to a request that did its part */
  constructor(message: string, reply: Reply, options: ErrorOptions) {
    super(message, options);
    this.reply = reply;
  }
}

const contentOf = (said: string | ToastContent): ToastContent =>
  typeof said === "string" ? { description: said } : said;

/**
 * A call that changes something. It says in a toast, or in an open dialog, what happened, also after the page was left, and refetches
 * what it has changed.
 */
export function useCall<Name extends CallName, Input extends object = InputOf<Name>, Reply = ReplyTo<Name>>(
  name: Name,
  texts: CallTexts<Name, Input, Reply> = {},
) {
  const { done, failed = FAILED, replyLost = texts.failed ?? REPLY_LOST, gone, undo, ahead, isQueued, isLast } = texts;
  const { send, isAsked = false } = texts;
  const queryClient = useQueryClient();
  const toast = useToast();
  const isMounted = useIsMounted();
  const onFailed = useRef<Callbacks<Reply>["onFailed"]>(undefined);

  function offerUndo(reply: Reply, input: Input): Pick<ToastContent, "action"> {
    const before = undo?.(reply, input);
    if (!before) return {};
    const onSelect = () => (typeof before === "function" ? before() : mutation.mutate(before));
    return { action: { label: "Undo", altText: "Undo it on the page", onSelect } };
  }

  const mutation = useSingleMutation({
    // The reply may contain a secret.
    gcTime: 0,
    mutationKey: [name],
    ...(isQueued && { scope: { id: name } }),
    async mutationFn(input: Input): Promise<{ reply: Reply | undefined; status?: number }> {
      const schemas = isAsked ? undefined : await loadSchemas().catch(() => undefined);
      if (schemas?.isFinal(name, input)) throw new Error(`${name} needs a question.`);
      try {
        if (send) return { reply: await send(input) };
        const { body, status } = await callApiForReply(name, input as object as InputOf<Name>);
        return { reply: body as Reply, status };
      } catch (error) {
        if (gone === undefined || httpErrorOf(error)?.status !== 404) throw error;
        return { reply: undefined };
      }
    },
    onMutate: (input) => ahead?.(queryClient, input),
    async onSuccess({ reply }, input, takeBack) {
      await applyReply(queryClient, name, input, reply);
      if (reply !== undefined) texts.apply?.(reply);
      if (reply === undefined) {
        takeBack?.();
        toast(contentOf(gone ?? ""));
      } else if (done !== undefined) {
        toast({ ...contentOf(typeof done === "function" ? done(reply, input) : done), ...offerUndo(reply, input) });
      }
    },
    onError(error, input, takeBack) {
      takeBack?.();
      const message = errorText(error, isNetworkFailure(error) ? replyLost : failed);
      if (isMounted.current && onFailed.current) onFailed.current(message, refusalOf(error), error);
      else {
        const action = error instanceof DoneInPart ? offerUndo(error.reply, input) : {};
        toast({ variant: "destructive", title: "Error", description: message, ...action });
      }
    },
    // Also after a failure: the change may have been made, unless the schemas are missing, without which nothing was sent.
    onSettled(result, _error, input) {
      const isAwaited = isQueued && queryClient.isMutating({ mutationKey: [name] }) > 1;
      const outcome = { ...(result && { status: result.status, input }), isLast };
      if (!isAwaited) void refreshAfter(queryClient, name, outcome).catch(() => {});
    },
  });

  return {
    isPending: mutation.isPending,
    /** The input of the call that runs. */
    sent: mutation.isPending ? mutation.variables : undefined,
    call(input: Input, callbacks: Callbacks<Reply> = {}) {
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
