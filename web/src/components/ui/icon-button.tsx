import type { LucideIcon } from "lucide-react";
import type { ComponentProps } from "react";

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
      className="grid size-11 shrink-0 place-items-center rounded-xl text-muted transition-colors hover:bg-sunken hover:text-ink"
      {...props}
    >
      <Icon aria-hidden className="size-4.5" />
    </button>
  );
}
