import * as Radix from "@radix-ui/react-toast";
import { messages } from "@tapthru/proto/rules/messages";
import { CircleAlert, X } from "lucide-react";

export interface ToastContent {
  title?: string;
  description?: string;
  variant?: "default" | "destructive";
  action?: {
    label: string;
    /** Another way to do the action, for screen readers. */
    altText: string;
    onSelect: () => void;
  };
}

interface ToastProps extends ToastContent {
  open: boolean;
  onOpenChange: (open: boolean) => void;
}

export function Toast({ title, description, variant, action, open, onOpenChange }: ToastProps) {
  const destructive = variant === "destructive";
  return (
    <Radix.Root
      open={open}
      onOpenChange={onOpenChange}
      className={`toast relative flex items-start gap-3 rounded-xl border bg-toast p-edge pr-3 md:py-2 text-toast-ink shadow-card ${
        destructive ? "border-l-8 border-toast-danger" : "border-toast-line"
      }`}
    >
      {destructive && (
        <CircleAlert
          aria-hidden
          className="mt-px size-5 shrink-0 text-toast-danger @max-narrow:hidden"
        />
      )}
      <div className="min-w-0 flex-1 text-sm leading-5">
        {title && <Radix.Title className="pr-8 font-semibold">{title}</Radix.Title>}
        {description && (
          <Radix.Description className="wrap-anywhere first:pr-8">{description}</Radix.Description>
        )}
        {action && (
          <Radix.Action
            altText={action.altText}
            onClick={action.onSelect}
            className="mt-2 rounded-md border border-current px-3 py-1 font-medium"
          >
            {action.label}
          </Radix.Action>
        )}
      </div>
      <Radix.Close
        aria-label={messages.close}
        className="absolute top-2 right-2 rounded-md p-2 outline-toast-ink hover:bg-toast-line/60"
      >
        <X aria-hidden className="size-4" />
      </Radix.Close>
    </Radix.Root>
  );
}
