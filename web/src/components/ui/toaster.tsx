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
type Stage = ComponentType<ToastStageProps>;

const ToastContext = createContext<ShowToast>(() => {
  throw new Error("useToast needs a Toaster around it");
});

export function useToast(): ShowToast {
  return useContext(ToastContext);
}

/** Shows one toast at a time: a new one takes the place of the old. */
export function Toaster({ children }: { children: ReactNode }) {
  const [current, setCurrent] = useState<{ id: number; open: boolean; content: ToastContent }>();
  const Stage = useStage(current?.id);
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
    </ToastContext>
  );
}

/**
 * The script that shows toasts would exceed the budget of the first load, so it loads on the first touch of the page.
 * Where that fails, PlainStage shows the text of toasts, and each toast tries to load the script again.
 */
function useStage(toastId: number | undefined): Stage | undefined {
  const [Stage, setStage] = useState<Stage>();
  const isTouched = useIsTouched();
  const isLoaded = Stage !== undefined && Stage !== PlainStage;
  const isNeeded = (isTouched || toastId !== undefined) && !isLoaded;

  useEffect(() => {
    if (!isNeeded) return;
    import("./toast-stage.tsx").then(
      ({ default: Loaded }) => setStage(() => Loaded),
      () => setStage((shown: Stage | undefined) => shown ?? PlainStage),
    );
  }, [isNeeded, toastId]);

  return Stage;
}

function PlainStage({ content, open, onOpenChange }: ToastStageProps) {
  const close = useEffectEvent(() => onOpenChange(false));
  useEffect(() => {
    if (!open) return;
    const timer = setTimeout(() => close(), TOAST_DURATION_MS);
    return () => clearTimeout(timer);
  }, [open]);
  if (!content || !open) return null;
  return (
    <p
      role="status"
      className="fixed inset-x-4 top-bar z-50 mt-4 rounded-xl bg-toast p-4 text-sm text-toast-ink md:top-auto md:bottom-4 md:left-auto md:max-w-toast"
    >
      <strong>{content.title}</strong> {content.description}
    </p>
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
