import { usePrefetchInfiniteQuery, useQuery } from "@tanstack/react-query";
import { paths } from "@tapthru/proto/rules/paths";
import { textLinkClass } from "../../components/ui/button.tsx";
import { PageLink } from "../../components/ui/links.tsx";
import { comparedClicksOptions } from "../../features/clicks/api.ts";
import { useRefreshOfLinks } from "../../features/imports/links/api.ts";
import { Taps } from "../../features/links/list/link-taps.tsx";
import { Links } from "../../features/links/list/links.tsx";
import { LinksSkeleton } from "../../features/links/list/links-skeleton.tsx";
import { linkListOptions } from "../../features/links/list/list-links.ts";
import { useListView } from "../../features/links/list/use-list-view.ts";
import { FirstTag, useAsksForTag } from "../../features/links/tags/tag-form.tsx";
import { LINKS_STALE_MS } from "../../lib/http/query-presets.ts";
import { DEFAULT_PERIOD } from "../../lib/period.ts";
import { usePageTitle } from "../../lib/use-page-title.ts";

export default function Dashboard() {
  // The page may have said before that the account cannot be reached.
  usePageTitle("Your Links");
  useRefreshOfLinks();
  const asksForTag = useAsksForTag();
  usePrefetchInfiniteQuery(linkListOptions(useListView().view));
  // The question would move the list.
  if (asksForTag === undefined) return <LinksSkeleton />;
  return (
    <>
      <FirstTag />
      <Links summary={<TapsOfAllLinks />} />
    </>
  );
}

/** The taps of people in the last 30 days, with a link to the clicks. Keeps its space while they are unknown. */
function TapsOfAllLinks() {
  const { data } = useQuery({
    ...comparedClicksOptions({ shortCode: null, period: DEFAULT_PERIOD }),
    staleTime: LINKS_STALE_MS,
    refetchInterval: false,
  });
  return (
    <p className="flex min-h-11 flex-wrap items-center gap-x-3 text-sm text-muted">
      {data && <Taps days={data.series.map(({ person }) => person)} isShort />}
      <PageLink to={paths.clicks} className={`${textLinkClass} inline-flex min-h-11 items-center`}>
        All clicks
      </PageLink>
    </p>
  );
}
