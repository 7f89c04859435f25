import { type ComponentType, useEffect, useRef, useState } from "react";
import { NavigationLink } from "../components/ui/links.tsx";
import { ACCOUNT_BUTTON, AccountButtonContent } from "./account-links.tsx";
import { paths } from "./paths.ts";

/**
 * The account menu of wide screens. There its script loads separately. Until then, and if that fails, a
 * link to the account page is in its place.
 */
export function AccountMenu() {
  const [Dropdown, setDropdown] = useState<ComponentType>();
  const link = useRef<HTMLAnchorElement>(null);

  useEffect(() => {
    const stop = new AbortController();
    const load = () =>
      import("./account-dropdown.tsx").then(
        ({ AccountDropdown }) => {
          const show = () => setDropdown(() => AccountDropdown);
          // Replacing a focused link would lose the focus.
          if (document.activeElement !== link.current) show();
          else link.current?.addEventListener("blur", show, { once: true, signal: stop.signal });
        },
        () => {},
      );
    const narrow = matchMedia("(width < 48rem)");
    if (!narrow.matches) load();
    else narrow.addEventListener("change", load, { once: true, signal: stop.signal });
    return () => stop.abort();
  }, []);

  if (Dropdown) return <Dropdown />;
  return (
    <NavigationLink ref={link} to={paths.account} className={ACCOUNT_BUTTON}>
      <AccountButtonContent />
    </NavigationLink>
  );
}
