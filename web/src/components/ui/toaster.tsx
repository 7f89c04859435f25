import {
  type ComponentType,
  createContext,
  type ReactNode,
  useCallback,
  useContext,
  useEffect,
  useLayoutEffect,
  useState,
} from "react";
import { createPortal } from "react-dom";
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

interface Shown {
  id: number;
  open: boolean;
  content: ToastContent;
  /** In the dialog that was open, in front of which a toast would not be. */
  place: Element | null;
}

const placeInModal = () =>
  [...document.querySelectorAll("dialog[open]")].at(-1)?.querySelector(`[${SAID_HERE}]`) ?? null;

/** Shows one toast at a time, or its text in an open dialog, with which it goes. A new toast replaces the previous one. */
export function Toaster({ children }: { children: ReactNode }) {
  const [current, setCurrent] = useState<Shown>();
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
      const place = content.action ? null : placeInModal();
      setCurrent((previous) => ({ id: (previous?.id ?? 0) + 1, open: true, content, place }));
    },
    [load],
  );
  // What closed the dialog said it, or the user had closed it before.
  useLayoutEffect(() => {
    if (current?.place?.isConnected === false) setCurrent({ ...current, place: null });
  }, [current]);

  return (
    <ToastContext value={show}>
      {children}
      {current?.place && createPortal(<SaidInModal key={current.id} {...current.content} />, current.place)}
      {/* A new viewport for each toast: closing one under the pointer would otherwise pause the timer of the next. */}
      {Viewport && (
        <Viewport
          key={current?.id}
          content={current?.place ? undefined : current?.content}
          open={current?.open ?? false}
          onOpenChange={(open) => current && setCurrent({ ...current, open })}
        />
      )}
    </ToastContext>
  );
}

const SAID_HERE = "data-said-here";

/** Where a dialog says what a toast would: in the first of them. Each dialog has one at its end. */
export function SaidHere() {
  return <div {...{ [SAID_HERE]: true }} className="mt-3 empty:mt-0" />;
}

function SaidInModal({ variant, title, description = title }: ToastContent) {
  const isError = variant === "destructive";
  return (
    <p
      role={isError ? "alert" : "status"}
      className={`text-sm leading-5 font-medium ${isError ? "text-danger" : "text-accent"}`}
    >
      {description}
    </p>
  );
}
