import { useInfiniteQuery, useQuery } from "@tanstack/react-query";
import { paths } from "@tapthru/proto/rules/paths";
import { SearchX } from "lucide-react";
import { type ReactNode, useRef } from "react";
import { ParcelIcon } from "../../../components/link-picture.tsx";
import { Button, buttonClass } from "../../../components/ui/button.tsx";
import { EmptyState, LoadingFailed } from "../../../components/ui/empty-state.tsx";
import { PageLink } from "../../../components/ui/links.tsx";
import { SearchField, useSearchText } from "../../../components/ui/search-field.tsx";
import { Can } from "../../../kit/can.tsx";
import { useFocusAfterChange } from "../../../lib/focus.ts";
import { unlessOffline } from "../../../lib/http/http-client.ts";
import { formatCount, formatNumber } from "../../../lib/locale-formats.ts";
import { LinkList } from "./link-list.tsx";
import { LinksSkeleton } from "./links-skeleton.tsx";
import { linkCountOptions, linkListOptions } from "./list-links.ts";
import { ListToolbar } from "./list-toolbar.tsx";
import { conditionsOf, NO_FILTERS, useListView } from "./use-list-view.ts";
import { useSelection } from "./use-selection.ts";

export function Links({ summary }: { summary: ReactNode }) {
  const [view, change] = useListView();
  const field = useSearchText(view.q, (q) => change({ q }));
  const searchField = useRef<HTMLInputElement>(null);
  const list = useInfiniteQuery(linkListOptions(view));
  const links = list.data?.pages.flatMap((page) => page.links) ?? [];
  const areMore = list.hasNextPage;
  const selection = useSelection(view, links, areMore);
  const { data: total } = useQuery({ ...linkCountOptions(view), enabled: areMore });

  // The button that cleared a filter disappears.
  useFocusAfterChange(JSON.stringify(conditionsOf(view)), searchField);
  const conditions = Object.keys(conditionsOf(view));
  const isFiltered = conditions.length > 0;
  const isSearched = conditions.join() === "q";
  const isEmpty = list.data !== undefined && links.length === 0 && !areMore;
  const isLoading = list.isPending || (isEmpty && list.isPlaceholderData);

  if (isEmpty && !isFiltered && !isLoading) {
    return (
      <div>
        {summary}
        <EmptyState icon={<ParcelIcon className="size-8" />}>
          <p>You haven't created any links yet.</p>
          <Can call="POST /api/links">
            <PageLink to={paths.linkCreation} className={buttonClass()}>
              Create your first link
            </PageLink>
          </Can>
        </EmptyState>
      </div>
    );
  }
  return (
    <div className="@container">
      {(isFiltered || !list.isLoadingError) && (
        <>
          <div className="print:hidden">{summary}</div>
          <ListToolbar
            view={view}
            onChange={change}
            selection={selection}
            count={isLoading || list.isLoadingError ? "" : countText(links.length, areMore, total)}
            search={<SearchField ref={searchField} label="Search your links" placeholder="Search" {...field} />}
          />
        </>
      )}
      <div className="mt-1">
        {list.isLoadingError && (
          <LoadingFailed
            message={unlessOffline("Oops! Please try to refresh this page")}
            action="Try again"
            onAction={() => list.refetch()}
          />
        )}
        {isLoading && <LinksSkeleton />}
        {!isLoading && isEmpty && isFiltered && (
          <EmptyState icon={<SearchX aria-hidden className="size-8" />}>
            <p role="status" className="wrap-anywhere">
              {isSearched ? `No links match "${view.q}".` : "No links match these filters."}
            </p>
            <Button variant="outline" onClick={() => change({ ...NO_FILTERS, q: "" })}>
              {isSearched ? "Clear search" : "Clear filters"}
            </Button>
          </EmptyState>
        )}
        {list.data && !isEmpty && (
          <LinkList list={list} view={view} onSort={(sort) => change({ sort })} links={links} selection={selection} />
        )}
      </div>
    </div>
  );
}

/** @param total how many there are in all, if that is known */
function countText(loaded: number, areMore: boolean, total: { count: number; areMore: boolean } | undefined): string {
  if (!areMore) return formatCount(loaded, "link");
  if (total === undefined) return `More than ${formatNumber(loaded)} links`;
  return `${formatNumber(Math.max(total.count, loaded))}${total.areMore ? "+" : ""} links`;
}
