import { type ReactNode, useLayoutEffect, useRef } from "react";

/** As --spacing-bar in styles.css. */
const BAR_HEIGHT_REM = 4;
const TALL = "tall";

interface ToastPlaceProps {
  /** Called when a toast has its place, before it is painted. */
  onPlaced?: (place: HTMLElement) => void;
  children: ReactNode;
}

/**
 * Where toasts are shown, so that they cover no control. On small screens: at the bottom, in the flow after
 * the page, which therefore can be scrolled above the toast. On wide screens: in the empty middle of the top
 * bar, between the logo and the actions. A toast that is taller than the bar is at the bottom there too.
 */
export function ToastPlace({ onPlaced, children }: ToastPlaceProps) {
  const place = useRef<HTMLDivElement>(null);

  useLayoutEffect(() => {
    const { current } = place;
    if (!current) return;
    const choosePlace = () => {
      const rem = Number.parseFloat(getComputedStyle(document.documentElement).fontSize);
      current.classList.remove(TALL);
      current.classList.toggle(TALL, current.offsetHeight > BAR_HEIGHT_REM * rem);
    };
    choosePlace();
    // Called before a new toast is painted.
    const newToasts = new MutationObserver(() => {
      choosePlace();
      onPlaced?.(current);
    });
    newToasts.observe(current, { childList: true, subtree: true });
    // The window or its text has another size. In the next frame, because the place changes the observed sizes.
    let frame = 0;
    const sizes = new ResizeObserver(() => {
      cancelAnimationFrame(frame);
      frame = requestAnimationFrame(choosePlace);
    });
    sizes.observe(current);
    sizes.observe(document.documentElement);
    return () => {
      newToasts.disconnect();
      sizes.disconnect();
      cancelAnimationFrame(frame);
    };
  }, [onPlaced]);

  return (
    <div ref={place} className="toast-place @container">
      {children}
    </div>
  );
}
