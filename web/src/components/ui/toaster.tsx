import { TOAST_DURATION_MS } from "@tapthru/proto/rules/limits";
import { messages } from "@tapthru/proto/rules/messages";
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
import { onFirstInteraction } from "../../lib/first-interaction.ts";
import type { ToastContent } from "./toast.tsx";
import { ToastPlace } from "./toast-place.tsx";
import type { ToastViewportProps } from "./toast-viewport.tsx";

type ShowToast = (content: ToastContent) => void;
type Viewport = ComponentType<ToastViewportProps>;

const ToastContext = createContext<ShowToast>(() => {
  throw new Error("useToast must be used within a Toaster");
});

export function useToast(): ShowToast {
  return useContext(ToastContext);
}

/** Shows an error as a toast. */
export function useErrorToast(): (description: string) => void {
  const toast = useToast();
  return (description) => toast({ variant: "destructive", title: messages.error, description });
}

/** Shows one toast at a time. A new toast replaces the previous one. */
export function Toaster({ children }: { children: ReactNode }) {
  const [current, setCurrent] = useState<{ id: number; open: boolean; content: ToastContent }>();
  const Viewport = useViewport(current?.id);
  const show = useCallback<ShowToast>((content) => {
    setCurrent((previous) => ({ id: (previous?.id ?? 0) + 1, open: true, content }));
  }, []);

  return (
    <ToastContext value={show}>
      {children}
      {Viewport && (
        // A new viewport for each toast: closing one under the pointer would otherwise pause the timer of the next.
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

/**
 * The toast viewport would exceed the budget of the first script, so it loads on the first interaction. If that
 * fails, PlainViewport shows toasts as text, and each toast tries to load the viewport again.
 */
function useViewport(toastId: number | undefined): Viewport | undefined {
  const [Viewport, setViewport] = useState<Viewport>();
  const hasInteracted = useHasInteracted();
  const isLoaded = Viewport !== undefined && Viewport !== PlainViewport;
  const isNeeded = (hasInteracted || toastId !== undefined) && !isLoaded;

  useEffect(() => {
    if (!isNeeded) return;
    import("./toast-viewport.tsx").then(
      ({ default: Loaded }) => setViewport(() => Loaded),
      () => setViewport((shown: Viewport | undefined) => shown ?? PlainViewport),
    );
  }, [isNeeded, toastId]);

  return Viewport;
}

function PlainViewport({ content, open, onOpenChange }: ToastViewportProps) {
  const close = useEffectEvent(() => onOpenChange(false));
  useEffect(() => {
    if (!open) return;
    const timer = setTimeout(() => close(), TOAST_DURATION_MS);
    return () => clearTimeout(timer);
  }, [open]);
  if (!content || !open) return null;
  return (
    <ToastPlace>
      <p
        role="status"
        className="toast rounded-xl bg-toast p-4 text-sm text-toast-ink md:px-4 md:py-2"
      >
        <strong>{content.title}</strong> {content.description}
      </p>
    </ToastPlace>
  );
}

/** Whether the user has interacted with the page. Until then there are no toasts. */
function useHasInteracted(): boolean {
  const [hasInteracted, setHasInteracted] = useState(false);
  useEffect(() => onFirstInteraction(() => setHasInteracted(true)), []);
  return hasInteracted;
}
