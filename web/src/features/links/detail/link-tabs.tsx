import type { LinkTab } from "@tapthru/proto/rules/paths";
import { TabLinks } from "../../../components/ui/tab-links.tsx";

export const LINK_TAB_NAMES = {
  overview: "Overview",
  clicks: "Clicks",
  opening: "Opening",
  settings: "Settings",
} as const;

interface LinkTabsProps {
  tabs: readonly LinkTab[];
  pathOf: (tab?: LinkTab) => string;
}

/** Links to the tabs of a link's page. */
export function LinkTabs({ tabs, pathOf }: LinkTabsProps) {
  const links = [undefined, ...tabs].map((tab) => ({
    to: pathOf(tab),
    name: LINK_TAB_NAMES[tab ?? "overview"],
  }));
  return <TabLinks label="Parts of this link's page" tabs={links} replace />;
}
