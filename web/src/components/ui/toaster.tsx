import { type ComponentType, createContext, type ReactNode, useCallback, useContext, useEffect, useState } from "react";
import type { ToastContent, ToastViewportProps } from "./toast-viewport.tsx";

type ShowToast = (content: ToastContent) => void;

const ToastContext = createContext<ShowToast>(() => {
  throw new Error("useToast must be used within a Toaster");
});

export function useToast(): ShowToast {
  return useContext(ToastContext);
}

export function useErrorToast(): (description: string) => void {
  const toast = useToast();
  return (description) => toast({ variant: "destructive", title: "Error", description });
}

/** Shows one toast at a time. A new toast replaces the previous one. */
export function Toaster({ children }: { children: ReactNode }) {
  const [current, setCurrent] = useState<{ id: number; open: boolean; content: ToastContent }>();
  const [Viewport, setViewport] = useState<ComponentType<ToastViewportProps>>();
  // It does not fit into the first script. If loading fails, the next toast tries it again.
  const load = useCallback(() => {
    import("./toast-viewport.tsx").then(
      ({ ToastViewport }) => setViewport(() => ToastViewport),
      () => {},
    );
  }, []);
  useEffect(load, [load]);
  const show = useCallback<ShowToast>(
    (content) => {
      load();
      setCurrent((previous) => ({ id: (previous?.id ?? 0) + 1, open: true, content }));
    },
    [load],
  );

  return (
    <ToastContext value={show}>
      {children}
      {/* A new viewport for each toast: closing one under the pointer would otherwise pause the timer of the next. */}
      {Viewport && (
        <Viewport
          key={current?.id}
          content={current?.content}
          open={current?.open ?? false}
          onOpenChange={(open) => current && setCurrent({ ...current, open })}
        />
      )}
    </ToastContext>
  );
}
