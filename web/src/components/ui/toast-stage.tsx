import * as Radix from "@radix-ui/react-toast";
import {
  TOAST_DURATION_MS,
  TOAST_FOCUS_KEY,
  TOAST_SWIPE_DIRECTION,
  TOAST_SWIPE_THRESHOLD_PX,
} from "@tapthru/proto/rules/limits";
import { Toast, type ToastContent } from "./toast.tsx";

interface ToastStageProps {
  content: ToastContent | undefined;
  open: boolean;
  onOpenChange: (open: boolean) => void;
}

/** Where toasts stand, and how they come and go. */
export default function ToastStage({ content, open, onOpenChange }: ToastStageProps) {
  return (
    <Radix.Provider
      duration={TOAST_DURATION_MS}
      swipeDirection={TOAST_SWIPE_DIRECTION}
      swipeThreshold={TOAST_SWIPE_THRESHOLD_PX}
    >
      {content && <Toast {...content} open={open} onOpenChange={onOpenChange} />}
      <Radix.Viewport
        hotkey={[TOAST_FOCUS_KEY]}
        className="fixed inset-x-0 top-bar z-50 flex w-full flex-col p-4 md:top-auto md:right-0 md:bottom-0 md:left-auto md:max-w-[420px]"
      />
    </Radix.Provider>
  );
}
