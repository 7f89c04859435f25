import { type ReactNode, useState } from "react";
import { Button, type ButtonProps } from "../../../components/ui/button.tsx";
import { Dialog, DialogActions } from "../../../components/ui/dialog.tsx";
import { Can } from "../../../kit/can.tsx";
import { useCall } from "../../../kit/use-call.ts";
import { type CallName, callApi, type InputOf } from "../../../lib/http/call-api.ts";
import { errorText, SaidError } from "../../../lib/http/http-client.ts";
import { sendInParts } from "../../../lib/http/send-in-parts.ts";
import { formatNumber } from "../../../lib/locale-formats.ts";
import type { SelectedLink } from "./use-selection.ts";

export interface BulkDialogProps {
  links: readonly SelectedLink[];
  onClose: () => void;
}

type BulkCall = "PATCH /api/links/bulk" | "PUT /api/links/bulk/channel" | "PUT /api/links/bulk/domain";

interface Results {
  results: readonly { error: string | null }[];
}

interface BulkTexts {
  done: string;
  failed: string;
  refused: (count: number) => string;
  /** The refusals that are counted. By default all. */
  isRefusal?: (error: string) => boolean;
}

/**
 * Changes links by one request for as many as the api takes. It continues after its dialog is closed. After a failure, the links of
 * earlier requests are changed, and changing all again does the rest.
 */
export function useBulkCall<Name extends BulkCall>(name: Name, size: number, texts: BulkTexts) {
  const { done, failed, refused, isRefusal = () => true } = texts;
  return useCall(name, {
    done,
    failed,
    async send(input) {
      const body = input.body as { ids: readonly number[] };
      const { replies, rest, error } = await sendInParts(body.ids, size, (ids) =>
        callApi(name, { ...input, body: { ...body, ids }, keepalive: true } as InputOf<Name>),
      );
      const [total, count] = [body.ids.length, body.ids.length - rest.length];
      if (error !== null && count === 0) throw error;
      if (error !== null) {
        const text = `${formatNumber(count)} of ${formatNumber(total)} links are done. ${errorText(error, failed)}`;
        throw new SaidError(text, { cause: error });
      }
      const results = replies.flatMap((reply) => (reply as Results).results);
      const refusals = results.filter((result) => result.error !== null && isRefusal(result.error)).length;
      if (refusals > 0) throw new SaidError(refused(refusals));
      return replies[0] as (typeof replies)[number];
    },
  });
}

interface BulkFormProps {
  title: string;
  action: string;
  isPending: boolean;
  isReady?: boolean;
  onSave: () => void;
  onClose: () => void;
  children: ReactNode;
}

export function BulkDialog(props: BulkFormProps) {
  const { title, action, isPending, isReady = true, onSave, onClose, children } = props;
  return (
    <Dialog title={title} onClose={onClose}>
      <fieldset disabled={isPending} className="min-w-0">
        {children}
      </fieldset>
      <DialogActions pending={isPending} onCancel={onClose}>
        <Button disabled={!isReady} aria-disabled={isPending} onClick={() => !isPending && onSave()}>
          {isPending ? "Saving..." : action}
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
    <Can call={call}>
      <Button variant="quiet" shape={shape} aria-haspopup="dialog" disabled={disabled} onClick={() => setOpen(true)}>
        {text}
      </Button>
      {isOpen && children(() => setOpen(false))}
    </Can>
  );
}
