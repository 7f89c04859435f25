import {
  type ComponentType,
  createContext,
  type ReactNode,
  useCallback,
  useContext,
  useEffect,
  useLayoutEffect,
  useMemo,
  useRef,
  useState,
} from "react";
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

interface Modals {
  /** The last one that was opened. */
  top: object | undefined;
  /** What it says. */
  said: ToastContent | undefined;
  change: (change: (open: readonly object[]) => object[], read?: ToastContent) => void;
}

const ModalsContext = createContext<Modals>({ top: undefined, said: undefined, change: () => {} });

/** What is said while a modal is open: a toast would be behind it. Nothing says it again after the modal has. */
export function useSaidInModal(isOpen: boolean): ToastContent | undefined {
  const modal = useRef<ToastContent>(undefined);
  const { top, said, change } = useContext(ModalsContext);
  const own = top === modal ? said : undefined;
  useLayoutEffect(() => {
    modal.current = own;
  }, [own]);
  useLayoutEffect(() => {
    if (!isOpen) return;
    change((open) => [...open, modal]);
    return () => change((open) => open.filter((each) => each !== modal), modal.current);
  }, [isOpen, change]);
  return own;
}

interface Shown {
  id: number;
  open: boolean;
  content: ToastContent;
  /** Whether a modal was open. */
  isOfModal: boolean;
}

/** Shows one toast at a time. A new toast replaces the previous one. */
export function Toaster({ children }: { children: ReactNode }) {
  const [current, setCurrent] = useState<Shown>();
  const [modals, setModals] = useState<readonly object[]>([]);
  const hasModal = useRef(false);
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
      const isOfModal = hasModal.current;
      setCurrent((previous) => ({ id: (previous?.id ?? 0) + 1, open: true, content, isOfModal }));
    },
    [load],
  );
  const change = useCallback<Modals["change"]>((next, read) => {
    setModals((open) => {
      const changed = next(open);
      hasModal.current = changed.length > 0;
      return changed;
    });
    if (read) setCurrent((shown) => (shown?.content === read ? undefined : shown));
  }, []);

  const top = modals.at(-1);
  const isSaidInModal = top !== undefined && current?.isOfModal === true;
  // What has a button waits until no modal is open.
  const said = isSaidInModal && current?.open && !current.content.action ? current.content : undefined;
  const state = useMemo(() => ({ top, said, change }), [top, said, change]);

  return (
    <ToastContext value={show}>
      <ModalsContext value={state}>{children}</ModalsContext>
      {/* A new viewport for each toast: closing one under the pointer would otherwise pause the timer of the next. */}
      {Viewport && (
        <Viewport
          key={current?.id}
          content={isSaidInModal ? undefined : current?.content}
          open={current?.open ?? false}
          onOpenChange={(open) => current && setCurrent({ ...current, open })}
        />
      )}
    </ToastContext>
  );
}
