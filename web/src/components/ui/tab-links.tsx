import { useEffect, useRef } from "react";
import { useHref, useLocation } from "react-router-dom";
import { NavigationLink } from "./links.tsx";

export interface Tab {
  to: string;
  name: string;
}

interface TabLinksProps {
  label: string;
  tabs: readonly Tab[];
  /** Beside the page on wide screens, where it is a column. */
  isAside?: boolean;
  /** True if going back leaves the page, instead of showing the tab before. */
  replace?: boolean;
}

const ASIDE = {
  row: "lg:mb-0 lg:flex-col lg:gap-y-1",
  link: "lg:rounded-xl lg:border-b-0 lg:hover:bg-sunken lg:aria-[current=page]:bg-sunken lg:aria-[current=page]:forced-colors:border",
};

export function TabLinks({ label, tabs, isAside = false, replace = false }: TabLinksProps) {
  const { pathname, state } = useLocation();
  const href = useHref(pathname);
  const row = useRef<HTMLUListElement>(null);

  useEffect(() => {
    const tab = row.current?.querySelector<HTMLElement>(`[href="${CSS.escape(href)}"]`);
    if (!row.current || !tab) return;
    row.current.scrollLeft = tab.offsetLeft - (row.current.clientWidth - tab.offsetWidth) / 2;
  }, [href]);

  return (
    <nav aria-label={label} className={`border-b border-line ${isAside ? "lg:w-52 lg:shrink-0 lg:border-b-0" : ""}`}>
      <ul ref={row} className={`relative -mb-px flex gap-x-1 overflow-x-auto ${isAside ? ASIDE.row : ""}`}>
        {tabs.map(({ to, name }) => (
          <li key={to}>
            <NavigationLink
              to={to}
              replace={replace}
              state={replace ? state : undefined}
              className={`flex min-h-11 items-center border-b-2 border-transparent px-2 text-md whitespace-nowrap text-muted hover:text-ink sm:px-3 aria-[current=page]:border-accent aria-[current=page]:font-medium aria-[current=page]:text-ink ${isAside ? ASIDE.link : ""}`}
            >
              {name}
            </NavigationLink>
          </li>
        ))}
      </ul>
    </nav>
  );
}
