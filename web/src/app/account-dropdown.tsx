import * as Radix from "@radix-ui/react-dropdown-menu";
import { messages } from "@tapthru/proto/rules/messages";
import { useEffect, useRef, useState } from "react";
import { NavigationLink } from "../components/ui/links.tsx";
import {
  ACCOUNT_BUTTON,
  ACCOUNT_PAGES,
  AccountButtonContent,
  AccountName,
  LINK_PAGES,
} from "./account-links.tsx";

const ITEM =
  "flex min-h-11 w-full items-center rounded-xl px-3 py-2 text-left text-md -outline-offset-2 aria-[current=page]:font-semibold data-highlighted:bg-sunken";

/** A button that opens a menu with the pages about the account and the user's name. */
export function AccountDropdown() {
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
    <Radix.Root
      // The page stays scrollable: locking it would add an inline style, which the policy of the site forbids.
      modal={false}
      open={isOpen}
      onOpenChange={changeOpen}
    >
      <Radix.Trigger aria-label={messages.accountMenu} className={ACCOUNT_BUTTON}>
        <AccountButtonContent />
      </Radix.Trigger>
      <Radix.Content
        align="end"
        sideOffset={8}
        collisionPadding={8}
        onCloseAutoFocus={returnFocus}
        className="z-50 max-h-(--radix-dropdown-menu-content-available-height) w-72 max-w-(--radix-dropdown-menu-content-available-width) overflow-y-auto rounded-2xl border border-line bg-surface p-1.5 text-ink shadow-card"
      >
        {LINK_PAGES.map(({ to, label }) => (
          <Radix.Item key={to} asChild>
            <NavigationLink to={to} className={`${ITEM} @full-bar:hidden`}>
              {label}
            </NavigationLink>
          </Radix.Item>
        ))}
        {ACCOUNT_PAGES.map(({ to, label }) => (
          <Radix.Item key={to} asChild>
            <NavigationLink to={to} className={ITEM}>
              {label}
            </NavigationLink>
          </Radix.Item>
        ))}
        {/* Below the items, which would move when the name becomes known. */}
        <Radix.Label className="mt-1.5 border-t border-line px-3 pt-2.5 pb-1.5 empty:hidden">
          <AccountName />
        </Radix.Label>
      </Radix.Content>
    </Radix.Root>
  );
}
