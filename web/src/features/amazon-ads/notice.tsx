import { CircleAlert } from "lucide-react";

export function Notice({ children }: { children: string }) {
  return (
    <p
      role="alert"
      className="flex items-start gap-3 rounded-2xl bg-notice p-4 text-[0.9375rem] leading-6 text-pretty text-notice-ink"
    >
      <CircleAlert aria-hidden className="mt-0.5 size-5 shrink-0" />
      {children}
    </p>
  );
}
