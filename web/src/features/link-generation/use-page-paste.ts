import { useEffect, useEffectEvent } from "react";
import { useLocation } from "react-router-dom";
import { takeEarlyPastes } from "./early-input.ts";

/**
 * Calls `onText` with text that is pasted on the page, unless it is pasted into a field or a dialog is open. Includes
 * text that was pasted before the script of the page had loaded.
 */
export function usePagePaste(onText: (text: string) => void): void {
  const { pathname } = useLocation();
  const handleEarlyPastes = useEffectEvent(() => {
    for (const { path, text } of takeEarlyPastes()) if (path === pathname) onText(text);
  });
  useEffect(() => handleEarlyPastes(), []);

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
