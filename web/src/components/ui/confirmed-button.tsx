import { useState } from "react";
import { Button } from "./button.tsx";
import { ConfirmDialog } from "./confirm-dialog.tsx";

interface ConfirmedButtonProps {
  label: string;
  pendingLabel: string;
  question: string;
  isPending: boolean;
  /** `close` takes the question away again, where the answer came to nothing. */
  onConfirm: (close: () => void) => void;
}

/** A button whose click is asked about first. */
export function ConfirmedButton(props: ConfirmedButtonProps) {
  const { label, pendingLabel, question, isPending, onConfirm } = props;
  const [asking, setAsking] = useState(false);
  const close = () => setAsking(false);
  return (
    <>
      <Button variant="danger" onClick={() => setAsking(true)}>
        {label}
      </Button>
      <ConfirmDialog
        open={asking}
        question={question}
        confirmLabel={isPending ? pendingLabel : label}
        pending={isPending}
        onConfirm={() => onConfirm(close)}
        onClose={close}
      />
    </>
  );
}
