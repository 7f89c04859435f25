import { messages } from "@tapthru/proto/rules/messages";
import type { LinkTab } from "@tapthru/proto/rules/paths";
import { useLocation } from "react-router-dom";
import { NavigationLink } from "../../../components/ui/links.tsx";

interface LinkTabsProps {
  tabs: readonly LinkTab[];
  pathOf: (tab?: LinkTab) => string;
}

/** Links to the tabs of a link's page. They replace each other in the history, so that going back leaves the page. */
export function LinkTabs({ tabs, pathOf }: LinkTabsProps) {
  const { state } = useLocation();
  return (
    <nav aria-label={messages.linkTabsLabel} className="border-b border-line">
      <ul className="-mb-px flex gap-x-1 overflow-x-auto">
        {[undefined, ...tabs].map((tab) => (
          <li key={tab ?? ""}>
            <NavigationLink
              to={pathOf(tab)}
              replace
              state={state}
              className="flex min-h-11 items-center border-b-2 border-transparent px-2 text-md text-muted hover:text-ink sm:px-3 aria-[current=page]:border-accent aria-[current=page]:font-medium aria-[current=page]:text-ink"
            >
              {messages.linkTabs[tab ?? "overview"]}
            </NavigationLink>
          </li>
        ))}
      </ul>
    </nav>
  );
}
