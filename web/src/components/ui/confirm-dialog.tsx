import { messages } from "@tapthru/proto/rules/messages";
import { type ReactNode, type SyntheticEvent, useEffect, useId, useRef } from "react";
import { Button } from "./button.tsx";

interface ConfirmDialogProps {
  open: boolean;
  question: string;
  confirmLabel: string;
  /** Red, unless the action loses nothing. */
  confirmVariant?: "danger" | "primary" | undefined;
  /** The action is running and can no longer be cancelled. */
  pending: boolean;
  onConfirm: () => void;
  onClose: () => void;
  /** Text or fields between the question and the buttons. */
  children?: ReactNode;
}

/** Confirms an action that cannot be undone. The native dialog traps and restores the focus. */
export function ConfirmDialog(props: ConfirmDialogProps) {
  const { open, question, confirmLabel, pending, onConfirm, onClose, children } = props;
  const { confirmVariant = "danger" } = props;
  const dialog = useRef<HTMLDialogElement>(null);
  const id = useId();

  useEffect(() => {
    if (open) dialog.current?.showModal();
    else dialog.current?.close();
  }, [open]);

  // Escape would close the native dialog before `open` changes. Opening it again at once would then have no effect.
  function handleCancel(event: SyntheticEvent) {
    event.preventDefault();
    if (!pending) onClose();
  }

  // The close event is asynchronous: the dialog may be open again.
  function handleClose() {
    if (dialog.current?.open === false) onClose();
  }

  return (
    <dialog
      ref={dialog}
      role="alertdialog"
      aria-labelledby={id}
      onCancel={handleCancel}
      onClose={handleClose}
      className="confirm m-auto w-dialog rounded-2xl border border-line bg-surface p-dialog-edge text-ink shadow-card sm:p-6"
    >
      <p id={id} className="text-lg leading-7 font-medium text-pretty">
        {question}
      </p>
      {children}
      <div className="mt-6 flex flex-col-reverse gap-3 sm:flex-row sm:justify-end">
        <Button variant="quiet" disabled={pending} onClick={onClose}>
          {messages.cancel}
        </Button>
        <Button variant={confirmVariant} disabled={pending} onClick={onConfirm}>
          {confirmLabel}
        </Button>
      </div>
    </dialog>
  );
}
