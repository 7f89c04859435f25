import { TOAST_DURATION_MS } from "@tapthru/proto/rules/limits";
import {
  type ComponentType,
  createContext,
  type ReactNode,
  useCallback,
  useContext,
  useEffect,
  useEffectEvent,
  useState,
} from "react";
import type { ToastContent } from "./toast.tsx";
import type { ToastStageProps } from "./toast-stage.tsx";

type ShowToast = (content: ToastContent) => void;

const ToastContext = createContext<ShowToast>(() => {
  throw new Error("useToast needs a Toaster around it");
});

export function useToast(): ShowToast {
  return useContext(ToastContext);
}

/** Shows one toast at a time: a new one takes the place of the old. */
export function Toaster({ children }: { children: ReactNode }) {
  const [current, setCurrent] = useState<{ id: number; open: boolean; content: ToastContent }>();
  const isTouched = useIsTouched();
  const { Stage, isMissing } = useStage(isTouched, current?.id);
  const show = useCallback<ShowToast>((content) => {
    setCurrent((previous) => ({ id: (previous?.id ?? 0) + 1, open: true, content }));
  }, []);

  return (
    <ToastContext value={show}>
      {children}
      {Stage && (
        // A stage of its own for each toast: one closed under the pointer would leave the timers of the next paused.
        <Stage
          key={current?.id}
          content={current?.content}
          open={current?.open ?? false}
          onOpenChange={(open) => current && setCurrent({ ...current, open })}
        />
      )}
      {isMissing && current?.open && (
        <PlainToast
          key={current.id}
          content={current.content}
          onGone={() => setCurrent({ ...current, open: false })}
        />
      )}
    </ToastContext>
  );
}

/** Tells what there is to tell where the script that shows toasts could not be loaded. */
function PlainToast({ content, onGone }: { content: ToastContent; onGone: () => void }) {
  const { title, description } = content;
  const leave = useEffectEvent(onGone);
  useEffect(() => {
    const timer = setTimeout(() => leave(), TOAST_DURATION_MS);
    return () => clearTimeout(timer);
  }, []);
  return (
    <p
      role="status"
      className="fixed inset-x-4 top-bar z-50 mt-4 rounded-xl bg-toast p-4 text-sm text-toast-ink md:top-auto md:bottom-4 md:left-auto md:max-w-toast"
    >
      <strong>{title}</strong> {description}
    </p>
  );
}

/** Loads the script of toasts once it may be needed, and once more with each toast where that failed. */
function useStage(isTouched: boolean, toastId: number | undefined) {
  const [Stage, setStage] = useState<ComponentType<ToastStageProps>>();
  const [isMissing, setMissing] = useState(false);
  const isNeeded = (isTouched || toastId !== undefined) && !Stage;

  useEffect(() => {
    if (!isNeeded) return;
    import("./toast-stage.tsx").then(
      ({ default: Loaded }) => {
        setStage(() => Loaded);
        setMissing(false);
      },
      () => setMissing(true),
    );
  }, [isNeeded, toastId]);

  return { Stage, isMissing };
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
