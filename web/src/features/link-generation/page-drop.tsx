import { type ComponentType, useEffect, useState } from "react";
import type { DropTargetProps } from "./drop-target.tsx";

/** Accepts text that is dropped anywhere on the page. Loads what this needs when something is first dragged there. */
export function PageDrop(props: DropTargetProps) {
  const [DropTarget, setDropTarget] = useState<ComponentType<DropTargetProps>>();

  useEffect(() => {
    if (DropTarget) return;
    const stop = new AbortController();
    const { signal } = stop;
    let isFromPage = false;
    document.addEventListener("dragstart", () => (isFromPage = true), { signal });
    document.addEventListener("dragend", () => (isFromPage = false), { signal });
    document.addEventListener(
      "dragenter",
      () => {
        if (isFromPage) return;
        import("./drop-target.tsx").then(
          (loaded) => setDropTarget(() => loaded.DropTarget),
          () => {}, // Links can still be pasted.
        );
      },
      { signal },
    );
    return () => stop.abort();
  }, [DropTarget]);

  return DropTarget && <DropTarget {...props} />;
}
