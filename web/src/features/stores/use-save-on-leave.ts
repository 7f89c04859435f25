import { useEffect, useEffectEvent } from "react";
import { useErrorToast } from "../../components/ui/toaster.tsx";
import { addUnsentChange } from "../../lib/unsent-changes.ts";
import type { FailedChange, StoreChange } from "./api.ts";
import { storeName } from "./store-note.ts";

/** Saves the changes when the user leaves the page or logs out. A toast names one that failed. */
export function useSaveOnLeave(
  changes: () => StoreChange[],
  save: (changes: StoreChange[]) => Promise<FailedChange[]>,
): void {
  const showError = useErrorToast();
  const saveNow = useEffectEvent(async () => {
    const unsaved = changes();
    if (unsaved.length === 0) return;
    const [failure] = await save(unsaved);
    if (failure) showError(`${storeName(failure.change.marketplace)}: ${failure.message}`);
  });

  useEffect(() => {
    const send = () => saveNow();
    const removeChange = addUnsentChange(send);
    addEventListener("pagehide", send);
    return () => {
      removeEventListener("pagehide", send);
      if (removeChange()) void send();
    };
  }, []);
}
