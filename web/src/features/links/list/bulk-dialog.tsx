import { useMutation, useQueryClient } from "@tanstack/react-query";
import { type ReactNode, useState } from "react";
import { Button, type ButtonProps } from "../../../components/ui/button.tsx";
import { Dialog, DialogActions } from "../../../components/ui/dialog.tsx";
import { useToast } from "../../../components/ui/toaster.tsx";
import { May } from "../../../kit/may.tsx";
import { useIsMounted } from "../../../kit/use-call.ts";
import type { CallName } from "../../../lib/http/call-api.ts";
import { errorText } from "../../../lib/http/http-client.ts";
import { sendInParts } from "../../../lib/http/send-in-parts.ts";
import { refreshAfter } from "../../../lib/link-lists.ts";
import { formatNumber } from "../../../lib/locale-formats.ts";
import type { SelectedLink } from "./use-selection.ts";

export interface BulkDialogProps {
  links: readonly SelectedLink[];
  /** Called after links were changed, also if the dialog was closed before. */
  onChanged?: () => void;
  onClose: () => void;
}

interface BulkAction extends BulkDialogProps {
  size: number;
  texts: {
    done?: string;
    failed: string;
    refused?: (count: number) => string;
  };
  /** The call that changes links. Null: none changes them. */
  change: CallName | null;
}

interface Progress {
  /** The ids of the links that are not done. */
  rest: readonly number[];
  total: number;
  refused: number;
  /** Sends one request for some links. @returns how many were refused */
  send: (ids: number[]) => Promise<number>;
  onSent?: (() => void) | undefined;
  error?: unknown;
}

/** Does something with links, by one request for as many as the api takes. It goes on after its dialog is closed, and then says by a toast how it ended. */
export function useBulkAction({ links, onChanged, onClose, size, texts, change }: BulkAction) {
  const queryClient = useQueryClient();
  const toast = useToast();
  const [progress, setProgress] = useState<string | null>(null);
  const isOpen = useIsMounted();

  const { mutate, data, isPending } = useMutation({
    async mutationFn({ rest, refused, ...request }: Progress): Promise<Progress> {
      const showProgress = (left: readonly number[]) =>
        setProgress(request.total > size ? doneText({ ...request, rest: left }) : null);
      const { replies, ...result } = await sendInParts(rest, size, request.send, showProgress);
      if (result.error === null) request.onSent?.();
      return { ...request, ...result, refused: replies.reduce((sum, count) => sum + count, refused) };
    },
    onSuccess(result) {
      if (change !== null) {
        onChanged?.();
        void refreshAfter(queryClient, change);
      }
      const description = problemOf(result);
      if (description === null) {
        if (texts.done) toast({ title: texts.done });
        if (isOpen.current) onClose();
      } else {
        // An open dialog has the button.
        const action = { label: RETRY, altText: RETRY, onSelect: () => mutate(result) };
        toast({ variant: "destructive", description, ...(result.error !== null && !isOpen.current && { action }) });
      }
    },
  });

  function problemOf({ refused, error, ...result }: Progress): string | null {
    if (error === null) return refused === 0 ? null : (texts.refused?.(refused) ?? null);
    return `${isPartial(result) ? `${doneText(result)} links are done. ` : ""}${errorText(error, texts.failed)}`;
  }

  return {
    isPending,
    progress: isPending ? progress : null,
    start: (send: Progress["send"], onSent?: () => void) =>
      mutate({ rest: links.map(({ id }) => id), total: links.length, refused: 0, send, onSent }),
    /** Undefined unless some of the links are done. */
    retryRest: data && isPartial(data) ? () => mutate(data) : undefined,
  };
}

type Count = Pick<Progress, "rest" | "total">;

const isPartial = ({ rest, total }: Count) => rest.length > 0 && rest.length < total;
const doneText = ({ rest, total }: Count) => `${formatNumber(total - rest.length)} of ${formatNumber(total)}`;

const RETRY = "Retry the rest";

interface BulkFormProps {
  title: string;
  action: string;
  bulk: ReturnType<typeof useBulkAction>;
  isReady?: boolean;
  onSave: () => void;
  onClose: () => void;
  children: ReactNode;
}

export function BulkDialog({ title, action, bulk, isReady = true, onSave, onClose, children }: BulkFormProps) {
  const { isPending, progress, retryRest } = bulk;
  return (
    <Dialog title={title} onClose={onClose}>
      {/* A repetition sends what was chosen before. */}
      <fieldset disabled={isPending || retryRest !== undefined} className="min-w-0">
        {children}
      </fieldset>
      <p role="status" className="mt-3 text-sm text-muted empty:mt-0">
        {progress && `${progress}. It goes on if you close this.`}
      </p>
      <DialogActions pending={isPending} onCancel={onClose}>
        <Button disabled={!isReady} aria-disabled={isPending} onClick={() => !isPending && (retryRest ?? onSave)()}>
          {isPending ? "Saving..." : retryRest ? RETRY : action}
        </Button>
      </DialogActions>
    </Dialog>
  );
}

interface DialogButtonProps extends Pick<ButtonProps, "shape"> {
  call: CallName;
  text: string;
  disabled?: boolean;
  children: (close: () => void) => ReactNode;
}

export function DialogButton({ call, text, shape = "bar", disabled = false, children }: DialogButtonProps) {
  const [isOpen, setOpen] = useState(false);
  return (
    <May call={call}>
      <Button variant="quiet" shape={shape} aria-haspopup="dialog" disabled={disabled} onClick={() => setOpen(true)}>
        {text}
      </Button>
      {isOpen && children(() => setOpen(false))}
    </May>
  );
}
