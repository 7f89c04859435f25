import {
  createContext,
  lazy,
  type ReactNode,
  Suspense,
  useCallback,
  useContext,
  useEffect,
  useState,
} from "react";
import type { ToastContent } from "./toast.tsx";

type ShowToast = (content: ToastContent) => void;

const ToastContext = createContext<ShowToast>(() => {
  throw new Error("useToast needs a Toaster around it");
});

export function useToast(): ShowToast {
  return useContext(ToastContext);
}

const ToastStage = lazy(() => import("./toast-stage.tsx"));

/** Shows one toast at a time: a new one takes the place of the old. */
export function Toaster({ children }: { children: ReactNode }) {
  const [current, setCurrent] = useState<{ id: number; open: boolean; content: ToastContent }>();
  const isTouched = useIsTouched();
  const show = useCallback<ShowToast>((content) => {
    setCurrent((previous) => ({ id: (previous?.id ?? 0) + 1, open: true, content }));
  }, []);

  return (
    <ToastContext value={show}>
      {children}
      {(isTouched || current) && (
        <Suspense>
          {/* A stage of its own for each toast: one closed under the pointer would leave the timers of the next paused. */}
          <ToastStage
            key={current?.id}
            content={current?.content}
            open={current?.open ?? false}
            onOpenChange={(open) => current && setCurrent({ ...current, open })}
          />
        </Suspense>
      )}
    </ToastContext>
  );
}

const TOUCHES = ["pointerdown", "keydown", "paste"];

/** Whether the page was ever touched: until then no toast has anything to tell, and its script can wait. */
function useIsTouched(): boolean {
  const [isTouched, setTouched] = useState(false);
  useEffect(() => {
    const stop = new AbortController();
    for (const type of TOUCHES) {
      addEventListener(type, () => setTouched(true), { once: true, signal: stop.signal });
    }
    return () => stop.abort();
  }, []);
  return isTouched;
}
