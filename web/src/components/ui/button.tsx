import type { ComponentProps } from "react";

const BASE =
  "inline-flex h-11 items-center justify-center gap-2 rounded-xl px-5 text-[0.9375rem] font-medium whitespace-nowrap transition-colors duration-150 disabled:opacity-60";

const VARIANTS = {
  primary: "bg-accent text-on-accent hover:bg-accent-hover",
  outline: "border border-current hover:bg-current/10",
  quiet: "text-ink hover:bg-sunken",
  danger: "bg-danger-fill text-white hover:bg-danger-fill-hover",
} as const;

/** For links that look like buttons. */
export function buttonClass(variant: keyof typeof VARIANTS = "primary"): string {
  return `${BASE} ${VARIANTS[variant]}`;
}

/** For links and small actions within text. */
export const textLinkClass =
  "rounded-sm font-medium text-accent underline decoration-1 underline-offset-4 hover:text-accent-hover";

interface ButtonProps extends Omit<ComponentProps<"button">, "className"> {
  variant?: keyof typeof VARIANTS;
}

export function Button({ variant = "primary", type = "button", ...props }: ButtonProps) {
  return <button type={type} className={buttonClass(variant)} {...props} />;
}
