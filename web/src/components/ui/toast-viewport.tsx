import * as Radix from "@radix-ui/react-toast";
import { CircleAlert, X } from "lucide-react";
import { type FocusEvent, useRef } from "react";

const TOAST_SWIPE_THRESHOLD_PX = 50;
const TOAST_SWIPE_DIRECTION = "right";
const TOAST_DURATION_MS = 5_000;
/** With a button, such as 'Undo'. */
const ACTION_DURATION_MS = 20_000;

export interface ToastContent {
  title?: string;
  description?: string;
  variant?: "default" | "destructive";
  action?: {
    label: string;
    /** Another way to do the action, for screen readers. */
    altText: string;
    onSelect: () => void;
  };
}

export interface ToastViewportProps {
  toasts: readonly { id: number; open: boolean; content: ToastContent }[];
  onOpenChange: (id: number, open: boolean) => void;
}

/**
 * Shows toasts at the bottom, on wide screens at the right, and restores the focus when one closes. Toasts take up space
 * below the page, which can therefore be scrolled above them.
 */
export function ToastViewport({ toasts, onOpenChange }: ToastViewportProps) {
  const list = useRef<HTMLOListElement>(null);
  const previousFocus = useRef<EventTarget | null>(null);

  function savePreviousFocus({ relatedTarget, currentTarget }: FocusEvent) {
    const isInside = relatedTarget instanceof Node && currentTarget.contains(relatedTarget);
    if (!isInside) previousFocus.current = relatedTarget;
  }

  function changeOpen(id: number, isOpen: boolean) {
    const hasFocus = list.current?.contains(document.activeElement);
    onOpenChange(id, isOpen);
    if (!isOpen && hasFocus && previousFocus.current instanceof HTMLElement) previousFocus.current.focus();
  }

  return (
    <Radix.Provider
      duration={TOAST_DURATION_MS}
      swipeDirection={TOAST_SWIPE_DIRECTION}
      swipeThreshold={TOAST_SWIPE_THRESHOLD_PX}
    >
      {toasts.map(({ id, open, content }) => (
        <Toast key={id} {...content} open={open} onOpenChange={(isOpen) => changeOpen(id, isOpen)} />
      ))}
      {/* Clipped, because a toast that is swiped away must not widen the page. */}
      <div className="toasts sticky bottom-0 z-50 ml-auto overflow-x-clip px-edge has-[li]:pt-2 has-[li]:pb-toast-foot md:w-toast">
        <Radix.Viewport ref={list} onFocus={savePreviousFocus} className="@container flex flex-col gap-2" />
      </div>
    </Radix.Provider>
  );
}

interface ToastProps extends ToastContent {
  open: boolean;
  onOpenChange: (isOpen: boolean) => void;
}

function Toast({ title, description, variant, action, ...props }: ToastProps) {
  const destructive = variant === "destructive";
  return (
    <Radix.Root
      {...props}
      {...(action && { duration: ACTION_DURATION_MS })}
      className={`toast relative data-[swipe=move]:translate-x-(--radix-toast-swipe-move-x) motion-safe:animate-toast-in motion-safe:data-[state=closed]:animate-toast-out motion-safe:data-[swipe=cancel]:transition-[translate] flex items-start gap-3 rounded-xl border bg-toast p-edge pr-3 text-toast-ink shadow-card ${destructive ? "border-l-8 border-toast-danger" : "border-toast-line"}`}
    >
      {destructive && (
        <CircleAlert aria-hidden className="mt-px size-5 shrink-0 text-toast-danger @max-narrow:hidden" />
      )}
      <div className="min-w-0 flex-1 text-sm leading-5">
        {title && <Radix.Title className="pr-8 font-semibold">{title}</Radix.Title>}
        {description && <Radix.Description className="wrap-anywhere first:pr-8">{description}</Radix.Description>}
        {action && (
          <Radix.Action
            altText={action.altText}
            onClick={action.onSelect}
            className="mt-2 rounded-md border border-current px-3 py-1 font-medium"
          >
            {action.label}
          </Radix.Action>
        )}
      </div>
      <Radix.Close
        aria-label="Close"
        className="absolute top-2 right-2 rounded-md p-2 outline-toast-ink hover:bg-toast-line/60"
      >
        <X aria-hidden className="size-4" />
      </Radix.Close>
    </Radix.Root>
  );
}
