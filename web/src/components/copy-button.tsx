import { Check, Copy } from "lucide-react";
import { type Ref, useState } from "react";
import { useTimeout } from "../lib/use-timeout.ts";
import { Button, IconButton } from "./ui/button.tsx";
import { useErrorToast, useToast } from "./ui/toaster.tsx";

const COPY_CONFIRMATION_MS = 2_000;
/** Said of a link that was just created. */
export const FAILED_TO_COPY_LINK = "Failed to copy link";
export const FAILED_TO_COPY_LINK_TRY_AGAIN = "Failed to copy link. Please try again.";
export const LINK_COPIED = "Link copied to clipboard";
export const FAILED_TO_COPY_TEXT = "Failed to copy the text. Please try again.";
export const FAILED_TO_COPY_BY_HAND = "The browser did not allow copying. Please copy it by hand.";

interface CopyButtonProps {
  text: string;
  label: string;
  /** The toast if the browser does not allow copying. */
  failure?: string;
  success?: string;
}

export function CopyButton({ text, label, failure = FAILED_TO_COPY_LINK_TRY_AGAIN, success }: CopyButtonProps) {
  const { copied, copy } = useCopy(failure, success);
  return (
    <>
      <IconButton icon={copied ? Check : Copy} label={label} onClick={() => copy(text)} />
      <CopiedStatus copied={copied} />
    </>
  );
}

interface CopyTextButtonProps extends Omit<CopyButtonProps, "label"> {
  ref?: Ref<HTMLButtonElement>;
  children: string;
}

export function CopyTextButton(props: CopyTextButtonProps) {
  const { ref, text, failure = FAILED_TO_COPY_LINK_TRY_AGAIN, success, children } = props;
  const { copied, copy } = useCopy(failure, success);
  const Icon = copied ? Check : Copy;
  return (
    <>
      <Button ref={ref} onClick={() => copy(text)}>
        <Icon aria-hidden className="size-4" />
        {children}
      </Button>
      <CopiedStatus copied={copied} />
    </>
  );
}

/** Says what the tick on a button means, for screen readers. */
function CopiedStatus({ copied }: { copied: boolean }) {
  return (
    <span aria-live="polite" className="sr-only">
      {copied && "Copied"}
    </span>
  );
}

/**
 * Copies text. `copied` is true while the button shows a check mark.
 * @param failure toast text if the browser refuses
 * @param success toast text after copying, for a button that is gone by then
 */
export function useCopy(failure: string, success?: string) {
  const toast = useToast();
  const showError = useErrorToast();
  const [copied, setCopied] = useState(false);
  const confirmation = useTimeout();

  /** @param text a promise is that of a request, whose failure is shown elsewhere */
  async function copy(text: string | Promise<string>) {
    try {
      await copyText(text);
    } catch {
      const isKnown = await Promise.resolve(text).then(
        () => true,
        () => false,
      );
      if (isKnown) showError(failure);
      return;
    }
    setCopied(true);
    confirmation.start(() => setCopied(false), COPY_CONFIRMATION_MS);
    if (success !== undefined) toast({ title: "Copied!", description: success });
  }

  return { copied, copy };
}

/**
 * Rejects if the browser refuses. Over plain http, except on localhost, there is no Clipboard API.
 * @param text Safari allows copying only within a click, so a text that is not known yet is copied by its promise
 */
export async function copyText(text: string | Promise<string>): Promise<void> {
  if (!navigator.clipboard) return copyBySelection(await text);
  if (typeof text === "string" || typeof ClipboardItem === "undefined")
    return navigator.clipboard.writeText(await text);
  const blob = text.then((known) => new Blob([known], { type: "text/plain" }));
  return navigator.clipboard.write([new ClipboardItem({ "text/plain": blob })]);
}

function copyBySelection(text: string): void {
  const focused = document.activeElement;
  const textarea = document.createElement("textarea");
  textarea.value = text;
  textarea.readOnly = true;
  textarea.className = "sr-only";
  document.body.append(textarea);
  textarea.focus({ preventScroll: true });
  textarea.select();
  const copied = document.execCommand("copy");
  textarea.remove();
  if (focused instanceof HTMLElement) focused.focus({ preventScroll: true });
  if (!copied) throw new Error("The browser refused to copy");
}
