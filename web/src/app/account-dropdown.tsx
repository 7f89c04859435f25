import * as Radix from "@radix-ui/react-dropdown-menu";
import { useEffect, useRef, useState } from "react";
import { DROPDOWN_ITEM, Dropdown, DropdownContent } from "../components/ui/dropdown.tsx";
import { NavigationLink } from "../components/ui/links.tsx";
import { ACCOUNT_BUTTON, AccountButtonContent, AccountName, LINK_PAGES, useAccountPages } from "./account-links.tsx";

/** A button that opens a menu with the pages about the account and the user's name. */
export function AccountDropdown() {
  const pages = useAccountPages();
  const [isOpen, setOpen] = useState(false);
  /** The path when the menu opened. */
  const openedAt = useRef("");

  // Small screens have another menu.
  useEffect(() => {
    const narrow = matchMedia("(width < 48rem)");
    const close = () => setOpen(false);
    narrow.addEventListener("change", close);
    return () => narrow.removeEventListener("change", close);
  }, []);

  function changeOpen(open: boolean) {
    if (open) openedAt.current = location.pathname;
    setOpen(open);
  }

  // A new page takes the focus itself.
  function returnFocus(event: Event) {
    if (location.pathname !== openedAt.current) event.preventDefault();
  }

  return (
    <Dropdown open={isOpen} onOpenChange={changeOpen}>
      <Radix.Trigger aria-label="Account menu" className={ACCOUNT_BUTTON}>
        <AccountButtonContent />
      </Radix.Trigger>
      <DropdownContent width="w-72" onCloseAutoFocus={returnFocus}>
        {LINK_PAGES.map(({ to, label }) => (
          <Radix.Item key={to} asChild>
            <NavigationLink to={to} className={`${DROPDOWN_ITEM} @full-bar:hidden`}>
              {label}
            </NavigationLink>
          </Radix.Item>
        ))}
        {pages.map(({ to, label }) => (
          <Radix.Item key={to} asChild>
            <NavigationLink to={to} className={DROPDOWN_ITEM}>
              {label}
            </NavigationLink>
          </Radix.Item>
        ))}
        {/* Below the items, which would move when the name becomes known. */}
        <Radix.Label className="mt-1.5 border-t border-line px-3 pt-2.5 pb-1.5 empty:hidden">
          <AccountName />
        </Radix.Label>
      </DropdownContent>
    </Dropdown>
  );
}
