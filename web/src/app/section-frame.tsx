import type { ReactNode } from "react";
import { useLocation } from "react-router-dom";
import { NavigationLink } from "../components/ui/links.tsx";
import { TabLinks } from "../components/ui/tab-links.tsx";

export interface Tab {
  section: string;
  to: string;
  name: string;
}

interface SectionFrameProps {
  label: string;
  tabs: readonly Tab[];
  children: ReactNode;
}

const LINK =
  "flex min-h-11 items-center rounded-xl border border-line px-3 text-md hover:bg-sunken hover:text-ink lg:border-transparent";

/** A page of a section, with links to all sections and to the pages of its own. */
export function SectionFrame({ label, tabs, children }: SectionFrameProps) {
  const { pathname } = useLocation();
  const current = tabs.find(({ to }) => to === pathname)?.section;
  const ofSection = tabs.filter(({ section }) => section === current);
  const firstTabs = tabs.filter(({ section }, index) => tabs[index - 1]?.section !== section);
  return (
    <div className="mx-auto flex w-full max-w-page flex-col gap-6 px-4 pt-4 pb-12 sm:px-6 lg:flex-row lg:gap-10 lg:pt-12">
      <nav aria-label={label} className="lg:w-52 lg:shrink-0">
        <ul className="flex flex-wrap gap-2 lg:flex-col lg:gap-1">
          {firstTabs.map(({ section, to }) => (
            <li key={section}>
              <NavigationLink
                to={to}
                aria-current={to === pathname ? "page" : section === current || undefined}
                className={`${LINK} ${section === current ? "bg-sunken font-medium text-ink" : "text-muted"}`}
              >
                {section}
              </NavigationLink>
            </li>
          ))}
        </ul>
      </nav>
      <div className="min-w-0 lg:flex-1">
        {ofSection.length > 1 && (
          <div className="mb-6">
            <TabLinks label={current ?? label} tabs={ofSection} />
          </div>
        )}
        {children}
      </div>
    </div>
  );
}
