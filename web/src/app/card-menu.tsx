import { EllipsisVertical } from "lucide-react";
import { useState } from "react";
import { IconButton } from "../components/ui/icon-button.tsx";
import { useLazyDialog } from "../components/use-lazy-dialog.ts";
import type { CardMenuProps } from "../features/links/list/link-card.tsx";
import { useDisplayName } from "../lib/use-host.ts";

const loadDropdown = async () => (await import("./card-dropdown.tsx")).CardDropdown;

/** The button that opens the menu of a card. The menu is loaded, and rendered, when it is first opened. */
export function CardMenu(props: CardMenuProps) {
  const label = `More actions for ${useDisplayName(props.link)}`;
  const { Dialog: Dropdown, open } = useLazyDialog(loadDropdown);
  const [isByKeyboard, setByKeyboard] = useState(false);
  if (Dropdown) return <Dropdown label={label} isByKeyboard={isByKeyboard} {...props} />;
  return (
    <IconButton
      icon={EllipsisVertical}
      label={label}
      aria-haspopup="menu"
      onClick={({ detail }) => {
        setByKeyboard(detail === 0);
        open();
      }}
    />
  );
}
