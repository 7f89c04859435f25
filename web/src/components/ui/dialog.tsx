import { messages } from "@tapthru/proto/rules/messages";
import { X } from "lucide-react";
import { type ReactNode, useId, useLayoutEffect, useRef } from "react";
import { IconButton } from "./icon-button.tsx";

interface DialogProps {
  title: string;
  onClose: () => void;
  children: ReactNode;
}

/** A modal dialog, open while it is rendered. The native dialog traps and restores the focus. */
export function Dialog({ title, onClose, children }: DialogProps) {
  const dialog = useRef<HTMLDialogElement>(null);
  const id = useId();

  // Closing it before it is removed returns the focus to the control that opened it.
  useLayoutEffect(() => {
    const element = dialog.current;
    element?.showModal();
    return () => element?.close();
  }, []);

  // The close event is asynchronous: the dialog may be open again.
  function handleClose() {
    if (dialog.current?.open === false) onClose();
  }

  return (
    <dialog
      ref={dialog}
      aria-labelledby={id}
      onClose={handleClose}
      className="confirm m-auto w-dialog rounded-2xl border border-line bg-surface p-dialog-edge text-ink shadow-card sm:p-6"
    >
      <div className="-mt-1 -mr-1 mb-3 sm:-mr-2 flex items-center justify-between">
        <h2 id={id} className="min-w-0 text-lg font-semibold tracking-tight">
          {title}
        </h2>
        <IconButton icon={X} label={messages.close} onClick={() => dialog.current?.close()} />
      </div>
      {children}
    </dialog>
  );
}
