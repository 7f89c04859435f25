import * as Radix from "@radix-ui/react-toast";
import {
  TOAST_DURATION_MS,
  TOAST_FOCUS_KEY,
  TOAST_SWIPE_DIRECTION,
  TOAST_SWIPE_THRESHOLD_PX,
} from "@tapthru/proto/rules/limits";
import { createContext, type ReactNode, useCallback, useContext, useState } from "react";
import { Toast, type ToastContent } from "./toast.tsx";

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
  const show = useCallback<ShowToast>((content) => {
    setCurrent((previous) => ({ id: (previous?.id ?? 0) + 1, open: true, content }));
  }, []);

  return (
    <ToastContext value={show}>
      {children}
      {/* A provider of its own for each toast: one closed under the pointer would leave the timers of the next paused. */}
      <Radix.Provider
        key={current?.id}
        duration={TOAST_DURATION_MS}
        swipeDirection={TOAST_SWIPE_DIRECTION}
        swipeThreshold={TOAST_SWIPE_THRESHOLD_PX}
      >
        {current && (
          <Toast
            {...current.content}
            open={current.open}
            onOpenChange={(open) => setCurrent({ ...current, open })}
          />
        )}
        <Radix.Viewport
          hotkey={[TOAST_FOCUS_KEY]}
          className="fixed inset-x-0 top-bar z-50 flex w-full flex-col p-4 md:top-auto md:right-0 md:bottom-0 md:left-auto md:max-w-[420px]"
        />
      </Radix.Provider>
    </ToastContext>
  );
}
