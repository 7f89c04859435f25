import type { LucideIcon } from "lucide-react";
import type { ComponentProps } from "react";

/** The transparent border is visible with forced colors, which remove fills. */
const BASE =
  "inline-flex max-w-full items-center justify-center border text-center font-medium wrap-anywhere transition-colors duration-150 disabled:opacity-60";

const SHAPES = {
  plain: "rounded-xl min-h-11 shrink-0 gap-2 px-5 py-1.5 text-md",
  /** For a row of actions with icons, which fill the row. In a narrow row the text is below the icon. */
  tile: "rounded-xl min-w-18 grow basis-0 flex-col gap-1 px-2 py-2 text-sm @lg:min-h-11 @lg:grow-0 @lg:basis-auto @lg:flex-row @lg:gap-2 @lg:px-4 @lg:py-1.5 @lg:text-md",
  /** For what narrows a list. */
  chip: "relative min-h-11 shrink-0 gap-1 rounded-full px-3 text-sm sm:min-h-9",
  /** For the places of the top bar, which fit from 768 px on. */
  bar: "rounded-xl min-h-11 shrink-0 gap-2 px-2.5 py-1.5 text-md @full-bar:px-5",
} as const;

/** As wide as its text on wide screens, also in a column; only what deletes at once may fill it. */
const FIT = "md:w-fit";

/** By rank: the main action of a box, other actions, small ones; then places in a navigation, and what deletes. */
const VARIANTS = {
  primary: `${FIT} border-transparent bg-accent text-on-accent hover:bg-accent-hover`,
  outline: `${FIT} border-current text-ink hover:bg-current/10`,
  quiet: `${FIT} border-transparent bg-ink/8 text-ink hover:bg-ink/15`,
  place: `${FIT} border-transparent text-ink hover:bg-sunken aria-[current]:bg-sunken`,
  /** Deletes after a question. */
  remove: "w-fit border-current text-danger hover:bg-current/10",
  danger: "border-transparent bg-danger-fill text-white hover:bg-danger-fill-hover",
} as const;

/** Also for links that look like buttons. */
export function buttonClass(variant: keyof typeof VARIANTS = "primary", shape: keyof typeof SHAPES = "plain"): string {
  return `${BASE} ${SHAPES[shape]} ${VARIANTS[variant]}`;
}

export const textLinkClass =
  "rounded-sm font-medium text-accent underline decoration-1 underline-offset-4 hover:text-accent-hover";

export interface ButtonProps extends Omit<ComponentProps<"button">, "className"> {
  variant?: keyof typeof VARIANTS;
  shape?: keyof typeof SHAPES;
}

/** While it waits for a reply it is `aria-busy`, which styles.css draws; it keeps the focus. */
export function Button({ variant = "primary", shape, type = "button", ...props }: ButtonProps) {
  return <button type={type} className={buttonClass(variant, shape)} aria-disabled={props["aria-busy"]} {...props} />;
}

interface IconButtonProps extends Omit<ComponentProps<"button">, "className" | "children"> {
  icon: LucideIcon;
  /** The accessible name, also shown as a tooltip. */
  label: string;
}

export function IconButton({ icon: Icon, label, type = "button", ...props }: IconButtonProps) {
  return (
    <button
      type={type}
      aria-label={label}
      title={label}
      aria-disabled={props["aria-busy"]}
      className="grid size-11 shrink-0 place-items-center rounded-xl text-muted transition-colors hover:bg-sunken hover:text-ink"
      {...props}
    >
      <Icon aria-hidden className="size-4.5" />
    </button>
  );
}
