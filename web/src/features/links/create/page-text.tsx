import { Link2 } from "lucide-react";
import { useEffect, useEffectEvent, useRef, useState } from "react";
import { useTimeout } from "../../../lib/use-timeout.ts";

interface PageTextProps {
  /** Name of the input that accepts a drop in the same way as the page. Other fields keep the browser's behavior. */
  fieldName: string;
  onPaste: (text: string) => void;
  onDrop: (text: string) => void;
}

/** Browsers repeat `dragover` every 50 to 550 ms while something is dragged over the page. */
const DRAG_END_MS = 600;

/**
 * Accepts text that is pasted anywhere on the page, except into a field, and text or a link that is dropped from outside. Covers
 * the page while it is dragged. An open dialog accepts nothing.
 */
export function PageText({ fieldName, onPaste, onDrop }: PageTextProps) {
  const [isDragging, setDragging] = useState(false);
  const isFromPage = useRef(false);
  const dragEnd = useTimeout();

  function isDropAccepted({ target, dataTransfer }: DragEvent): boolean {
    if (isFromPage.current || document.querySelector("dialog[open]")) return false;
    const isOwnField = target instanceof HTMLInputElement && target.name === fieldName;
    if (isEditable(target) && !isOwnField) return false;
    return ["text/plain", "text/uri-list"].some((type) => dataTransfer?.types.includes(type));
  }

  const paste = useEffectEvent(({ target, clipboardData }: ClipboardEvent) => {
    if (isEditable(target) || document.querySelector("dialog[open]")) return;
    onPaste(clipboardData?.getData("text/plain") ?? "");
  });

  const dragOver = useEffectEvent((event: DragEvent) => {
    const accepted = isDropAccepted(event);
    setDragging(accepted);
    if (!accepted) return;
    event.preventDefault();
    if (event.dataTransfer) event.dataTransfer.dropEffect = "copy";
    dragEnd.start(() => setDragging(false), DRAG_END_MS);
  });

  const drop = useEffectEvent((event: DragEvent) => {
    setDragging(false);
    if (!isDropAccepted(event)) return;
    event.preventDefault();
    const { dataTransfer } = event;
    onDrop(dataTransfer?.getData("text/plain") || dataTransfer?.getData("text/uri-list") || "");
  });

  useEffect(() => {
    const stop = new AbortController();
    const { signal } = stop;
    document.addEventListener("paste", (event) => paste(event), { signal });
    document.addEventListener("dragover", (event) => dragOver(event), { signal });
    document.addEventListener("drop", (event) => drop(event), { signal });
    document.addEventListener("dragstart", () => (isFromPage.current = true), { signal });
    document.addEventListener("dragend", () => (isFromPage.current = false), { signal });
    return () => stop.abort();
  }, []);

  if (!isDragging) return null;
  return (
    <div className="pointer-events-none fixed inset-0 z-50 bg-page/90 p-4 backdrop-blur-sm sm:p-8">
      <p className="flex h-full flex-col items-center justify-center gap-3 rounded-3xl border-2 border-dashed border-accent text-center text-xl font-semibold text-accent">
        <Link2 aria-hidden className="size-10" />
        Drop your Amazon links here
      </p>
    </div>
  );
}

/** Returns true if the browser itself inserts text that is pasted or dropped on the target. */
function isEditable(target: EventTarget | null): boolean {
  return target instanceof Element && target.closest("input, textarea, [contenteditable]") !== null;
}
