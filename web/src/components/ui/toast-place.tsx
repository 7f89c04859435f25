import type { ReactNode } from "react";

/**
 * Where toasts are shown, so that they cover no control. On small screens: at the bottom, in the flow after
 * the page, which therefore can be scrolled above the toast. On wide screens: in the free middle of the top
 * bar, between the logo and the actions.
 */
export function ToastPlace({ children }: { children: ReactNode }) {
  return <div className="toast-place @container">{children}</div>;
}
