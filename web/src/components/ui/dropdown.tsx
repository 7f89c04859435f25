import * as Radix from "@radix-ui/react-dropdown-menu";
import type { ComponentProps } from "react";

export const DROPDOWN_ITEM =
  "flex min-h-11 w-full items-center rounded-xl px-3 py-2 text-left text-md -outline-offset-2 aria-[current=page]:font-semibold data-highlighted:bg-sunken";

/** A menu. The page stays scrollable: locking it would add an inline style, which the policy of the site forbids. */
export function Dropdown(props: Omit<Radix.DropdownMenuProps, "modal">) {
  return <Radix.Root modal={false} {...props} />;
}

interface DropdownContentProps extends Omit<ComponentProps<typeof Radix.Content>, "className"> {
  width: "w-56" | "w-72";
}

/** The box with the items. */
export function DropdownContent({ width, ...props }: DropdownContentProps) {
  return (
    <Radix.Content
      align="end"
      sideOffset={8}
      collisionPadding={8}
      className={`z-50 max-h-(--radix-dropdown-menu-content-available-height) max-w-(--radix-dropdown-menu-content-available-width) overflow-y-auto rounded-2xl border border-line bg-surface p-1.5 text-ink shadow-card ${width}`}
      {...props}
    />
  );
}
