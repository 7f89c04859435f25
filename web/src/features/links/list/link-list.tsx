import type { InfiniteData, UseInfiniteQueryResult } from "@tanstack/react-query";
import type { Link } from "@tapthru/proto/links";
import { useEffect, useEffectEvent, useRef } from "react";
import { NextPage } from "../../../components/ui/loaded.tsx";
import { SortButton } from "../../../components/ui/table.tsx";
import { LINKS_ID } from "../../../lib/link-lists.ts";
import { LinkCard, ROW, ROW_CELLS } from "./link-card.tsx";
import { LINKS_UNASKED_MAX_COUNT, type LinkPage } from "./list-links.ts";
import type { ListView } from "./use-list-view.ts";
import type { Selection } from "./use-selection.ts";

interface LinkListProps {
  list: UseInfiniteQueryResult<InfiniteData<LinkPage>>;
  view: ListView;
  links: readonly Link[];
  areMore: boolean;
  onSort: (order: ListView["sort"]) => void;
  selection: Selection;
}

export function LinkList({ list, view, links, areMore, onSort, selection: { ids, toggle } }: LinkListProps) {
  const { isFetching, isFetchNextPageError } = list;
  const isPaused = isFetching || isFetchNextPageError;
  const loadNextPage = () => list.fetchNextPage({ cancelRefetch: false });

  // So that find in page finds them.
  const isIncomplete = areMore && !isPaused && links.length < LINKS_UNASKED_MAX_COUNT;
  const complete = useEffectEvent(loadNextPage);
  useEffect(() => {
    if (isIncomplete) complete();
  }, [isIncomplete]);

  return (
    <>
      <ColumnHeaders order={view.sort} isDisabled={ids !== undefined} onSort={onSort} />
      <ul
        id={LINKS_ID}
        tabIndex={-1}
        aria-busy={list.isPlaceholderData}
        className="outline-none transition-opacity aria-busy:opacity-60"
      >
        {links.map((link) => (
          <LinkCard key={link.id} link={link} isSelected={ids?.has(link.id)} onToggle={ids ? toggle : undefined} />
        ))}
      </ul>
      {areMore && <LoadMore list={list} paused={isPaused} onLoad={loadNextPage} />}
    </>
  );
}

const COLUMN_HEADERS: readonly (readonly [name: string, place: string, order?: ListView["sort"]])[] = [
  ["Name", `${ROW_CELLS.name} @2xl:row-span-2`, "name"],
  ["Tag", ROW_CELLS.tag],
  ["Taps", ROW_CELLS.taps, "clicks"],
  ["Earned", ROW_CELLS.earned, "earnings"],
  ["Created", ROW_CELLS.created, "newest"],
];

interface ColumnHeadersProps extends Pick<LinkListProps, "onSort"> {
  order: ListView["sort"];
  /** While links are selected: Tab leads to them. */
  isDisabled: boolean;
}

/** Above rows; a list of cards has none. */
function ColumnHeaders({ order, isDisabled, onSort }: ColumnHeadersProps) {
  return (
    <fieldset disabled={isDisabled} className={`hidden text-sm text-muted print:hidden ${ROW}`}>
      <legend className="sr-only">Sort by</legend>
      {COLUMN_HEADERS.map(([name, place, own]) => (
        <span key={name} className={`${place} self-center`}>
          {own === undefined ? (
            name
          ) : (
            <SortButton isChosen={own === order} isAscending={own === "name"} onClick={() => onSort(own)}>
              {name}
            </SortButton>
          )}
        </span>
      ))}
    </fieldset>
  );
}

/** Loads the next page when the end of the list is within this distance below the viewport. */
const ROOT_MARGIN = "0px 0px 1200px";

interface LoadMoreProps extends Pick<LinkListProps, "list"> {
  paused: boolean;
  onLoad: () => void;
}

function LoadMore({ list, paused, onLoad }: LoadMoreProps) {
  const sentinel = useRef<HTMLDivElement>(null);
  const load = useEffectEvent(onLoad);

  useEffect(() => {
    if (paused || !sentinel.current) return;
    const observer = new IntersectionObserver(
      (entries) => entries.some(({ isIntersecting }) => isIntersecting) && load(),
      { rootMargin: ROOT_MARGIN },
    );
    observer.observe(sentinel.current);
    return () => observer.disconnect();
  }, [paused]);

  return (
    <div ref={sentinel} className="mt-6 print:hidden">
      <NextPage list={list} failed="More links could not be loaded." />
    </div>
  );
}
