import { messages } from "@tapthru/proto/rules/messages";
import { Menu, X } from "lucide-react";
import { type MouseEvent, type ReactNode, useEffect, useRef, useState } from "react";

const ICON_BUTTON = "grid size-10 place-items-center rounded-xl hover:bg-sunken";

/** A menu for small screens. The native dialog traps and restores the focus, and closes on Escape. */
export function SlideOut({ children }: { children: ReactNode }) {
  const dialog = useRef<HTMLDialogElement>(null);
  const [open, setOpen] = useState(false);

  useEffect(() => {
    const wide = matchMedia("(width >= 48rem)");
    const close = () => dialog.current?.close();
    wide.addEventListener("change", close);
    return () => wide.removeEventListener("change", close);
  }, []);

  function openMenu() {
    dialog.current?.showModal();
    setOpen(true);
  }

  return (
    <div className="shrink-0 md:hidden">
      <button
        type="button"
        aria-label={messages.openMenu}
        aria-haspopup="dialog"
        aria-expanded={open}
        onClick={openMenu}
        className={ICON_BUTTON}
      >
        <Menu aria-hidden className="size-5" />
      </button>
      {/* biome-ignore lint/a11y/useKeyWithClickEvents: the native dialog closes on Escape */}
      <dialog
        ref={dialog}
        aria-label={messages.menu}
        onClose={() => setOpen(false)}
        onClick={closeOnClick}
        className="slide-out fixed inset-y-0 right-0 left-auto m-0 h-dvh max-h-none w-72 max-w-9/10 overflow-y-auto overscroll-contain border-l border-line bg-surface text-ink shadow-card"
      >
        <div className="flex min-h-full flex-col gap-2 p-3">
          <button
            type="button"
            aria-label={messages.closeMenu}
            onClick={() => dialog.current?.close()}
            className={`${ICON_BUTTON} self-end`}
          >
            <X aria-hidden className="size-5" />
          </button>
          {children}
        </div>
      </dialog>
    </div>
  );
}

/** Closes on a click on the backdrop, whose target is the dialog itself, and on any link or button. */
function closeOnClick({ target, currentTarget }: MouseEvent<HTMLDialogElement>) {
  if (target === currentTarget || (target instanceof Element && target.closest("a, button"))) {
    currentTarget.close();
  }
}
