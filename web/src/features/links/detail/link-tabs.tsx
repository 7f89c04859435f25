import { messages } from "@tapthru/proto/rules/messages";
import type { LinkTab } from "@tapthru/proto/rules/paths";
import { TabLinks } from "../../../components/ui/tab-links.tsx";

interface LinkTabsProps {
  tabs: readonly LinkTab[];
  pathOf: (tab?: LinkTab) => string;
}

/** Links to the tabs of a link's page. */
export function LinkTabs({ tabs, pathOf }: LinkTabsProps) {
  const links = [undefined, ...tabs].map((tab) => ({
    to: pathOf(tab),
    name: messages.linkTabs[tab ?? "overview"],
  }));
  return <TabLinks label={messages.linkTabsLabel} tabs={links} replace />;
}
