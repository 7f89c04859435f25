import { useInfiniteQuery } from "@tanstack/react-query";
import { Links } from "../../features/links/list/links.tsx";
import { LinksSkeleton } from "../../features/links/list/links-skeleton.tsx";
import { linkListOptions } from "../../features/links/list/list-links.ts";
import { useListView } from "../../features/links/list/use-list-view.ts";
import { FirstTag, useAsksForTag } from "../../features/links/tags/tag-form.tsx";
import { usePageTitle } from "../../lib/use-page-title.ts";
import { DashboardFigures } from "./dashboard-figures.tsx";

export default function Dashboard() {
  // The page may have said before that the account cannot be reached.
  usePageTitle("Your Links");
  const asksForTag = useAsksForTag();
  const { data: list } = useInfiniteQuery(linkListOptions(useListView().view));
  // The question would move the list.
  if (asksForTag === undefined) return <LinksSkeleton />;
  return (
    <>
      <FirstTag links={list?.pages[0]?.links} />
      <Links summary={<DashboardFigures />} />
    </>
  );
}
