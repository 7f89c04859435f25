import type { ComponentProps } from "react";

/** The transparent border is visible with forced colours, which remove fills. */
const BASE =
  "inline-flex min-h-11 max-w-full shrink-0 items-center justify-center gap-2 rounded-xl border px-5 py-1.5 text-center text-md font-medium transition-colors duration-150 disabled:opacity-60";

const VARIANTS = {
  primary: "border-transparent bg-accent text-on-accent hover:bg-accent-hover",
  outline: "border-current hover:bg-current/10",
  quiet: "border-transparent text-ink hover:bg-sunken",
  danger: "border-transparent bg-danger-fill text-white hover:bg-danger-fill-hover",
} as const;

/** Also for links that look like buttons. */
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
