import { type InfiniteData, useInfiniteQuery } from "@tanstack/react-query";
import type { Link } from "@tapthru/proto/links";
import { type ComponentType, type ReactNode, useRef } from "react";
import { textLinkClass } from "../../../components/ui/button.tsx";
import { LoadingFailed } from "../../../components/ui/empty-state.tsx";
import { PageLink } from "../../../components/ui/links.tsx";
import { SearchField, useSearchText } from "../../../components/ui/search-field.tsx";
import type { CardMenuProps } from "./link-card.tsx";
import { LinkList } from "./link-list.tsx";
import { LinkRowsSkeleton } from "./links-skeleton.tsx";
import { type LinkPage, linkListOptions } from "./list-links.ts";
import { NoLinks, NoMatch } from "./list-messages.tsx";
import { ListToolbar } from "./list-toolbar.tsx";
import { useListView } from "./use-list-view.ts";
import { useSelection } from "./use-selection.ts";
import { useUndoableDeletion } from "./use-undoable-deletion.ts";
import { ViewControls } from "./view-controls.tsx";

interface LinksProps {
  pathOf: (shortCode: string) => string;
  /** Path of the page that creates a link. */
  createPath: string;
  /** Path of the page that imports links. */
  importPath: string;
  /** Shown above the list to users who have links. */
  summary: ReactNode;
  CardMenu: ComponentType<CardMenuProps>;
}

/** The user's links, with search, order, filters and selection. */
export function Links({ pathOf, createPath, importPath, summary, CardMenu }: LinksProps) {
  const { view, change } = useListView();
  const field = useSearchText(view.q, (q) => change({ q }));
  const searchField = useRef<HTMLInputElement>(null);
  const list = useInfiniteQuery(linkListOptions(view));
  const deletion = useUndoableDeletion();
  const deletedIds = new Set(deletion.hidden.map(({ id }) => id));
  const links = loadedLinks(list.data).filter(({ id }) => !deletedIds.has(id));
  // While all links are being deleted, also those that were not loaded, loading more would only find them.
  const areMore = list.hasNextPage && (links.length > 0 || deletion.hidden.every((link) => "shortCode" in link));
  const selection = useSelection({ view, links, areMore, deletedIds });

  function clear() {
    change({ q: "", store: null, show: null, label: null });
    // The button that clears them disappears.
    searchField.current?.focus();
  }

  const isFiltered = view.q !== "" || view.store !== null || view.show !== null || view.label !== null;
  const isEmpty = list.data !== undefined && links.length === 0 && !areMore;
  const isLoading = list.isPending || (isEmpty && list.isPlaceholderData);

  if (isEmpty && !isFiltered && !isLoading && deletion.waiting === undefined) {
    return (
      <div className="pt-4">
        <NoLinks createPath={createPath} />
        <ImportLink path={importPath} />
      </div>
    );
  }
  return (
    <div className="@container">
      {(isFiltered || !list.isLoadingError) && (
        <>
          {summary}
          <ListToolbar
            view={view}
            selection={selection}
            deletion={deletion}
            search={<SearchField ref={searchField} label="Search your links" placeholder="Search" {...field} />}
          >
            <ViewControls view={view} onChange={change} />
          </ListToolbar>
        </>
      )}
      <div className="mt-3">
        {list.isLoadingError && (
          <LoadingFailed
            message={
              navigator.onLine
                ? "Oops! Please try to refresh this page"
                : "You're offline. Check your internet connection."
            }
            action="Try again"
            onAction={() => list.refetch()}
          />
        )}
        {isLoading && <LinkRowsSkeleton />}
        {!isLoading && isEmpty && isFiltered && <NoMatch view={view} onClear={clear} />}
        {list.data && !isEmpty && (
          <LinkList
            list={list}
            links={links}
            areMore={areMore}
            pathOf={pathOf}
            selection={selection}
            CardMenu={CardMenu}
            onDelete={deletion.start}
          />
        )}
      </div>
      {!isLoading && <ImportLink path={importPath} />}
    </div>
  );
}

function ImportLink({ path }: { path: string }) {
  return (
    <p className="mt-6 text-center">
      <PageLink to={path} className={`${textLinkClass} inline-flex min-h-11 items-center`}>
        Import links from another service
      </PageLink>
    </p>
  );
}

/** Each link once: by name, a link that is renamed between two requests may be on two pages. */
function loadedLinks(data: InfiniteData<LinkPage> | undefined): Link[] {
  const links = data?.pages.flatMap((page) => page.links) ?? [];
  return [...new Map(links.map((link) => [link.id, link])).values()];
}
