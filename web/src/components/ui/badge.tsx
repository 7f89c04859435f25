import type { ReactNode } from "react";

const VARIANTS = {
  notice: "border-transparent bg-notice text-notice-ink",
  quiet: "border-line text-muted",
};

interface BadgeProps {
  /** `notice` highlights a state that the user should know. */
  variant?: keyof typeof VARIANTS;
  children: ReactNode;
}

export function Badge({ variant = "notice", children }: BadgeProps) {
  return (
    <span
      className={`max-w-full rounded-full border px-2 py-px text-sm font-medium wrap-anywhere ${VARIANTS[variant]}`}
    >
      {children}
    </span>
  );
}
