import { messages } from "@tapthru/proto/rules/messages";
import { X } from "lucide-react";
import { type ReactNode, useEffect, useId, useRef } from "react";
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
  useEffect(() => dialog.current?.showModal(), []);
  return (
    <dialog
      ref={dialog}
      aria-labelledby={id}
      onClose={onClose}
      className="confirm m-auto w-dialog rounded-2xl border border-line bg-surface p-5 text-ink shadow-card sm:p-6"
    >
      <div className="-mt-1 -mr-2 mb-3 flex items-center justify-between">
        <h2 id={id} className="min-w-0 text-lg font-semibold tracking-tight">
          {title}
        </h2>
        <IconButton icon={X} label={messages.close} onClick={() => dialog.current?.close()} />
      </div>
      {children}
    </dialog>
  );
}
