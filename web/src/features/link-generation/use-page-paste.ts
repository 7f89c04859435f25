import { useEffect, useEffectEvent } from "react";

/**
 * Calls `onText` with text that is pasted on the page, unless it is pasted into a field or a dialog is open.
 */
export function usePagePaste(onText: (text: string) => void): void {
  const paste = useEffectEvent((event: ClipboardEvent) => {
    if (isEditable(event.target) || document.querySelector("dialog[open]")) return;
    onText(event.clipboardData?.getData("text/plain") ?? "");
  });

  useEffect(() => {
    const handle = (event: ClipboardEvent) => paste(event);
    document.addEventListener("paste", handle);
    return () => document.removeEventListener("paste", handle);
  }, []);
}

/** Whether the browser itself inserts text that is pasted or dropped on the target. */
export function isEditable(target: EventTarget | null): boolean {
  return target instanceof Element && target.closest("input, textarea, [contenteditable]") !== null;
}
