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

/** Of those with an action: more would cover a small screen. */
const WITH_ACTION_MAX_COUNT = 3;

interface Shown {
  id: number;
  /** Of the first of those that were open together. */
  firstId: number;
  open: boolean;
  content: ToastContent;
  /** In the dialog that was open, in front of which a toast would not be. */
  place: Element | null;
}

const placeInModal = () =>
  [...document.querySelectorAll("dialog[open]")].at(-1)?.querySelector(`[${SAID_HERE}]`) ?? null;

/**
 * Shows a toast, or its text in an open dialog, with which it goes. A new toast replaces the previous one, unless that offers an
 * action, such as 'Undo'.
 */
export function Toaster({ children }: { children: ReactNode }) {
  const [shown, setShown] = useState<Shown[]>([]);
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
      setShown((previous) => {
        const kept = previous
          .filter((each) => each.open && each.content.action)
          .slice(content.action ? 1 - WITH_ACTION_MAX_COUNT : 0);
        const id = (previous.at(-1)?.id ?? 0) + 1;
        return [...kept, { id, firstId: kept[0]?.firstId ?? id, open: true, content, place }];
      });
    },
    [load],
  );
  // What closed the dialog said it, or the user had closed it before.
  useLayoutEffect(() => {
    const isGone = ({ place }: Shown) => place?.isConnected === false;
    if (shown.some(isGone)) setShown(shown.map((each) => (isGone(each) ? { ...each, place: null } : each)));
  }, [shown]);

  return (
    <ToastContext value={show}>
      {children}
      {shown.map(({ id, content, place }) => place && createPortal(<SaidInModal key={id} {...content} />, place))}
      {/* A new viewport for each toast that is alone: closing one under the pointer would otherwise pause the timer of the next. */}
      {Viewport && (
        <Viewport
          key={shown[0]?.firstId}
          toasts={shown.filter(({ place }) => !place)}
          onOpenChange={(id, open) => setShown((all) => all.map((each) => (each.id === id ? { ...each, open } : each)))}
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
