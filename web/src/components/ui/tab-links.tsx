import { useEffect, useRef } from "react";
import { useHref, useLocation } from "react-router-dom";
import { NavigationLink } from "./links.tsx";

interface TabLinksProps {
  label: string;
  tabs: readonly { to: string; name: string }[];
  /** Whether going back leaves the page, instead of showing the tab before. */
  replace?: boolean;
}

/** Links to the tabs of a page, each of which has an address, in a row that scrolls. */
export function TabLinks({ label, tabs, replace = false }: TabLinksProps) {
  const { pathname, state } = useLocation();
  const href = useHref(pathname);
  const row = useRef<HTMLUListElement>(null);

  useEffect(() => {
    const tab = row.current?.querySelector<HTMLElement>(`[href="${CSS.escape(href)}"]`);
    if (!row.current || !tab) return;
    row.current.scrollLeft = tab.offsetLeft - (row.current.clientWidth - tab.offsetWidth) / 2;
  }, [href]);

  return (
    <nav aria-label={label} className="border-b border-line">
      <ul ref={row} className="relative -mb-px flex gap-x-1 overflow-x-auto">
        {tabs.map(({ to, name }) => (
          <li key={to}>
            <NavigationLink
              to={to}
              replace={replace}
              state={replace ? state : undefined}
              className="flex min-h-11 items-center border-b-2 border-transparent px-2 text-md whitespace-nowrap text-muted hover:text-ink sm:px-3 aria-[current=page]:border-accent aria-[current=page]:font-medium aria-[current=page]:text-ink"
            >
              {name}
            </NavigationLink>
          </li>
        ))}
      </ul>
    </nav>
  );
}
