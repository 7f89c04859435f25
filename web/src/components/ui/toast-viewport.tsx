import * as Radix from "@radix-ui/react-toast";
import {
  TOAST_DURATION_MS,
  TOAST_FOCUS_KEY,
  TOAST_SWIPE_DIRECTION,
  TOAST_SWIPE_THRESHOLD_PX,
} from "@tapthru/proto/rules/limits";
import { type FocusEvent, useRef } from "react";
import { scrollAboveToast } from "./scroll-above-toast.ts";
import { Toast, type ToastContent } from "./toast.tsx";
import { ToastPlace } from "./toast-place.tsx";

export interface ToastViewportProps {
  content: ToastContent | undefined;
  open: boolean;
  onOpenChange: (open: boolean) => void;
}

/** Shows toasts and restores the focus when one closes. */
export default function ToastViewport({ content, open, onOpenChange }: ToastViewportProps) {
  const list = useRef<HTMLOListElement>(null);
  const previousFocus = useRef<EventTarget | null>(null);

  function savePreviousFocus({ relatedTarget, currentTarget }: FocusEvent) {
    const isInside = relatedTarget instanceof Node && currentTarget.contains(relatedTarget);
    if (!isInside) previousFocus.current = relatedTarget;
  }

  function changeOpen(isOpen: boolean) {
    const hasFocus = list.current?.contains(document.activeElement);
    onOpenChange(isOpen);
    if (!isOpen && hasFocus && previousFocus.current instanceof HTMLElement)
      previousFocus.current.focus();
  }

  return (
    <Radix.Provider
      duration={TOAST_DURATION_MS}
      swipeDirection={TOAST_SWIPE_DIRECTION}
      swipeThreshold={TOAST_SWIPE_THRESHOLD_PX}
    >
      {content && <Toast {...content} open={open} onOpenChange={changeOpen} />}
      <ToastPlace onPlaced={scrollAboveToast}>
        <Radix.Viewport ref={list} hotkey={[TOAST_FOCUS_KEY]} onFocus={savePreviousFocus} />
      </ToastPlace>
    </Radix.Provider>
  );
}
