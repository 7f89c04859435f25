import { type ComponentType, useState } from "react";
import { useErrorToast } from "./ui/toaster.tsx";

/**
 * A dialog whose script is loaded when it is first opened. Shows a toast with `failure` if that fails.
 * @returns `Dialog` is undefined while it is closed
 */
export function useLazyDialog<Props>(
  load: () => Promise<ComponentType<Props>>,
  failure: string = "This could not be opened. Please reload the page.",
) {
  const [Dialog, setDialog] = useState<ComponentType<Props>>();
  const showError = useErrorToast();
  return {
    Dialog,
    async open() {
      try {
        const loaded = await load();
        setDialog(() => loaded);
      } catch {
        showError(failure);
      }
    },
    close: () => setDialog(undefined),
  };
}
