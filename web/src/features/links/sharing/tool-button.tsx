import type { LucideIcon } from "lucide-react";
import type { ComponentProps } from "react";
import { Button } from "../../../components/ui/button.tsx";
import { IconButton } from "../../../components/ui/icon-button.tsx";

/** `icon`: only an icon, with a tooltip. `tile`: an icon with a text, for a row of actions. */
export type ToolLook = "icon" | "tile";

interface ToolButtonProps extends Omit<ComponentProps<"button">, "className" | "children"> {
  look: ToolLook;
  icon: LucideIcon;
  /** The accessible name, which contains the text. */
  label: string;
  text: string;
}

export function ToolButton({ look, icon: Icon, label, text, ...props }: ToolButtonProps) {
  if (look === "icon") return <IconButton icon={Icon} label={label} {...props} />;
  return (
    <Button variant="outline" shape="tile" aria-label={label} {...props}>
      <Icon aria-hidden className="size-4.5" />
      {text}
    </Button>
  );
}
