import { messages } from "@tapthru/proto/rules/messages";
import { Ban } from "lucide-react";

export function TakenDownBadge() {
  return (
    <span className="shrink-0 rounded-full bg-notice px-2 py-0.5 text-xs font-medium text-notice-ink">
      {messages.takenDown}
    </span>
  );
}

export function TakenDownNotice() {
  return (
    <p className="flex items-start gap-3 rounded-2xl bg-notice p-4 text-[0.9375rem] leading-6 text-pretty text-notice-ink">
      <Ban aria-hidden className="mt-0.5 size-5 shrink-0" />
      {messages.takenDownNotice}
    </p>
  );
}
