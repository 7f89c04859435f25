import { useEffect, useEffectEvent } from "react";

/** Handles the Escape key while active, except in dialogs and toasts, which it closes. */
export function useEscape(isActive: boolean, onEscape: () => void): void {
  const handle = useEffectEvent(({ key, target }: KeyboardEvent) => {
    const closesOther = target instanceof Element && target.closest("dialog, [role=region]");
    if (key === "Escape" && !closesOther) onEscape();
  });
  useEffect(() => {
    if (!isActive) return;
    const listen = (event: KeyboardEvent) => handle(event);
    document.addEventListener("keydown", listen);
    return () => document.removeEventListener("keydown", listen);
  }, [isActive]);
}
