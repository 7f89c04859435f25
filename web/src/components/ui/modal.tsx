import { type ComponentProps, type SyntheticEvent, useLayoutEffect, useRef } from "react";
import { SaidHere } from "./toaster.tsx";

/** Where people type or choose; not a color or a file. */
const FIELD = "input:not([type=checkbox], [type=radio], [type=color], [type=file], [hidden]), select, textarea";

interface ModalProps extends Omit<ComponentProps<"dialog">, "open" | "onCancel"> {
  open?: boolean;
  onClose: () => void;
}

/**
 * A native modal dialog, which traps and restores the focus. It is open while it is rendered, unless `open` is false. Its first field
 * has the focus in the same frame, so that no key is lost.
 */
export function Modal({ open = true, onClose, children, ...props }: ModalProps) {
  const dialog = useRef<HTMLDialogElement>(null);

  // Closing it before it is removed returns the focus to the control that opened it.
  useLayoutEffect(() => {
    const element = dialog.current;
    if (open) element?.showModal();
    const field = open && (element?.querySelector("[type=radio]:checked") ?? element?.querySelector(FIELD));
    if (field instanceof HTMLElement) field.focus();
    return () => element?.close();
  }, [open]);

  // Escape would close the native dialog before `open` changes. Opening it again at once would then have no effect.
  function handleCancel(event: SyntheticEvent) {
    event.preventDefault();
    if (event.nativeEvent.cancelable) onClose();
  }

  // The browser closes it without asking on a second Escape. `onClose` may keep it open. The event is asynchronous: it may be
  // open again, or be meant to be closed.
  function handleClose() {
    if (!open || dialog.current?.open !== false) return;
    dialog.current.showModal();
    onClose();
  }

  return (
    <dialog ref={dialog} onCancel={handleCancel} onClose={handleClose} {...props}>
      {children}
      <SaidHere />
    </dialog>
  );
}
