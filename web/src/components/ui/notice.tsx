import type { LucideIcon } from "lucide-react";
import type { ReactNode } from "react";

interface NoticeProps {
  icon: LucideIcon;
  /** Screen readers read an alert out when it appears. */
  role?: "alert";
  children: ReactNode;
}

export function Notice({ icon: Icon, role, children }: NoticeProps) {
  return (
    <p
      role={role}
      className="flex items-start gap-3 rounded-2xl bg-notice p-edge text-md leading-6 text-pretty text-notice-ink"
    >
      <Icon aria-hidden className="mt-0.5 size-5 shrink-0" />
      <span className="min-w-0 wrap-anywhere">{children}</span>
    </p>
  );
}
