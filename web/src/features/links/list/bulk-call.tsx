import { type ReactNode, useState } from "react";
import { Button, type ButtonProps } from "../../../components/ui/button.tsx";
import { Can } from "../../../kit/can.tsx";
import { type CallTexts, DoneInPart } from "../../../kit/use-call.ts";
import { type CallName, callApi, type InputOf, type ReplyTo } from "../../../lib/http/call-api.ts";
import { errorText, SaidError } from "../../../lib/http/http-client.ts";
import { sendInParts } from "../../../lib/http/send-in-parts.ts";
import { formatNumber } from "../../../lib/locale-formats.ts";

type BulkCall = {
  [Name in CallName]: InputOf<Name> extends { body: { ids?: readonly number[] | undefined } } ? Name : never;
}[CallName];

interface BulkTexts {
  done?: string;
  failed: string;
  /** @param count of the links that were not changed */
  refused?: (count: number) => string;
  /** The refusals that are counted. By default all. */
  isRefusal?: (error: string) => boolean;
}

/**
 * For a call that changes links: one request for as many as the api takes. After a failure, the links of earlier requests are
 * changed, and changing all again does the rest.
 */
export function inParts<Name extends BulkCall>(name: Name, size: number, texts: BulkTexts): CallTexts<Name> {
  const { done, failed, refused = () => failed, isRefusal = () => true } = texts;
  return {
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
        throw new DoneInPart(text, replies[0] as ReplyTo<Name>, { cause: error });
      }
      const results: { error?: string | null }[] = replies.flatMap((reply) => Object(reply).results ?? []);
      const refusals = results.filter((result) => result.error && isRefusal(result.error)).length;
      if (refusals > 0) throw new SaidError(refused(refusals));
      return replies[0] as ReplyTo<Name>;
    },
  };
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
