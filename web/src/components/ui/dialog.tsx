import { X } from "lucide-react";
import { type MouseEvent, type ReactNode, useId, useState } from "react";
import { Button, IconButton } from "./button.tsx";
import { Modal } from "./modal.tsx";
import { SaidHere } from "./toaster.tsx";

const PANEL =
  "m-auto w-dialog rounded-2xl backdrop:bg-backdrop motion-safe:animate-appear border border-line bg-surface p-dialog-edge text-ink shadow-card sm:p-6";

export function Dialog({ title, onClose, children }: { title: string; onClose: () => void; children: ReactNode }) {
  const id = useId();
  return (
    <Modal aria-labelledby={id} onClose={onClose} className={PANEL}>
      <div className="-mt-1 -mr-1 mb-3 sm:-mr-2 flex items-center justify-between">
        <h2 id={id} className="min-w-0 text-lg font-semibold tracking-tight">
          {title}
        </h2>
        <IconButton icon={X} label="Close" onClick={onClose} />
      </div>
      {children}
    </Modal>
  );
}

interface DialogActionsProps {
  pending: boolean;
  onCancel: () => void;
  children: ReactNode;
}

/** The last row of a dialog. The second click of a double click has no effect, also if the first one opened the dialog. */
export function DialogActions({ pending, onCancel, children }: DialogActionsProps) {
  return (
    <>
      <SaidHere />
      <div onClickCapture={ignoreSecondClick} className="mt-6 flex flex-col-reverse gap-3 sm:flex-row sm:justify-end">
        <Button variant="quiet" onClick={onCancel}>
          {pending ? "Close" : "Cancel"}
        </Button>
        {children}
      </div>
    </>
  );
}

function ignoreSecondClick(event: MouseEvent) {
  if (event.detail < 2) return;
  event.preventDefault();
  event.stopPropagation();
}

interface ConfirmDialogProps {
  question: string;
  confirmLabel: string;
  /** Red, unless the action loses nothing. */
  confirmVariant?: "danger" | "primary" | undefined;
  /** The action is running. It goes on if the dialog is closed. */
  pending: boolean;
  onConfirm: () => void;
  onClose: () => void;
  children?: ReactNode;
}

export function ConfirmDialog(props: ConfirmDialogProps) {
  const { question, confirmLabel, confirmVariant = "danger", pending, onConfirm, onClose } = props;
  const id = useId();
  return (
    <Modal role="alertdialog" aria-labelledby={id} onClose={onClose} className={PANEL}>
      <p id={id} className="text-lg leading-7 font-medium text-pretty">
        {question}
      </p>
      {props.children}
      <DialogActions pending={pending} onCancel={onClose}>
        <Button variant={confirmVariant} disabled={pending} onClick={onConfirm}>
          {confirmLabel}
        </Button>
      </DialogActions>
    </Modal>
  );
}

interface ConfirmButtonProps {
  label: string;
  /** The accessible name of the button on the page, if it says more than the label. */
  name?: string;
  question: string;
  variant?: "primary" | "danger" | "remove" | "outline" | "quiet";
  confirmVariant?: "danger" | "primary";
  isPending: boolean;
  /** Call `close` to close the dialog after a failure. */
  onConfirm: (close: () => void) => void;
  children?: ReactNode;
}

export function ConfirmButton(props: ConfirmButtonProps) {
  const { label, name, question, variant = "danger", isPending, onConfirm } = props;
  const [isOpen, setOpen] = useState(false);
  const close = () => setOpen(false);
  return (
    <>
      <Button variant={variant} aria-label={name} onClick={() => setOpen(true)}>
        {label}
      </Button>
      {isOpen && (
        <ConfirmDialog
          question={question}
          confirmLabel={isPending ? "One moment..." : label}
          confirmVariant={props.confirmVariant}
          pending={isPending}
          onConfirm={() => onConfirm(close)}
          onClose={close}
        >
          {props.children}
        </ConfirmDialog>
      )}
    </>
  );
}
