import { type ReactNode, useState } from "react";
import { Button } from "./button.tsx";
import { ConfirmDialog } from "./confirm-dialog.tsx";

interface ConfirmButtonProps {
  label: string;
  /** The accessible name of the button on the page, if it says more than the label. */
  name?: string;
  pendingLabel: string;
  question: string;
  /** The variant of the button on the page. */
  variant?: "danger" | "outline";
  /** The variant of the button in the dialog. */
  confirmVariant?: "danger" | "primary";
  isPending: boolean;
  /** Call `close` to close the dialog after a failure. */
  onConfirm: (close: () => void) => void;
  /** Text between the question and the buttons. */
  children?: ReactNode;
}

/** A button that requires confirmation. */
export function ConfirmButton(props: ConfirmButtonProps) {
  const { label, name, pendingLabel, question, variant = "danger", isPending, onConfirm } = props;
  const [isOpen, setOpen] = useState(false);
  const close = () => setOpen(false);
  return (
    <>
      <Button variant={variant} aria-label={name} onClick={() => setOpen(true)}>
        {label}
      </Button>
      <ConfirmDialog
        open={isOpen}
        question={question}
        confirmLabel={isPending ? pendingLabel : label}
        confirmVariant={props.confirmVariant}
        pending={isPending}
        onConfirm={() => onConfirm(close)}
        onClose={close}
      >
        {props.children}
      </ConfirmDialog>
    </>
  );
}
