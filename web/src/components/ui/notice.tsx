import type { LucideIcon } from "lucide-react";

interface NoticeProps {
  icon: LucideIcon;
  /** An alert is read out as it comes. */
  role?: "alert";
  children: string;
}

/** Something to know, apart from what the page is about. */
export function Notice({ icon: Icon, role, children }: NoticeProps) {
  return (
    <p
      role={role}
      className="flex items-start gap-3 rounded-2xl bg-notice p-4 text-md leading-6 text-pretty text-notice-ink"
    >
      <Icon aria-hidden className="mt-0.5 size-5 shrink-0" />
      {children}
    </p>
  );
}
