import { Menu, X } from "lucide-react";
import { type MouseEvent, type ReactNode, useEffect, useState } from "react";
import { Modal } from "./modal.tsx";

const ICON_BUTTON = "grid size-10 place-items-center rounded-xl hover:bg-sunken";

export function SlideOut({ children }: { children: ReactNode }) {
  const [open, setOpen] = useState(false);
  const close = () => setOpen(false);

  useEffect(() => {
    const wide = matchMedia("(width >= 48rem)");
    const closeMenu = () => setOpen(false);
    wide.addEventListener("change", closeMenu);
    return () => wide.removeEventListener("change", closeMenu);
  }, []);

  /** Closes on a click on the backdrop, whose target is the dialog itself, and on any link or button. */
  function closeOnClick({ target, currentTarget }: MouseEvent<HTMLDialogElement>) {
    if (target === currentTarget || (target instanceof Element && target.closest("a, button"))) {
      close();
    }
  }

  return (
    <div className="shrink-0 md:hidden">
      <button
        type="button"
        aria-label="Open menu"
        aria-haspopup="dialog"
        aria-expanded={open}
        onClick={() => setOpen(true)}
        className={ICON_BUTTON}
      >
        <Menu aria-hidden className="size-5" />
      </button>
      <Modal
        open={open}
        aria-label="Menu"
        onClose={close}
        onClick={closeOnClick}
        className="backdrop:bg-backdrop motion-safe:transition-all motion-safe:transition-discrete motion-safe:duration-200 motion-safe:not-open:translate-x-full motion-safe:not-open:opacity-0 motion-safe:starting:open:translate-x-full motion-safe:starting:open:opacity-0 fixed inset-y-0 right-0 left-auto m-0 h-dvh max-h-none w-72 max-w-9/10 overflow-y-auto overscroll-contain border-l border-line bg-surface text-ink shadow-card"
      >
        <div className="flex min-h-full flex-col gap-2 p-3">
          <button type="button" aria-label="Close menu" className={`${ICON_BUTTON} self-end`}>
            <X aria-hidden className="size-5" />
          </button>
          {children}
        </div>
      </Modal>
    </div>
  );
}
