import type { InfiniteData, UseInfiniteQueryResult } from "@tanstack/react-query";
import type { Link } from "@tapthru/proto/links";
import { useEffect, useEffectEvent } from "react";
import { NextPage } from "../../../components/ui/loaded.tsx";
import { SortButton } from "../../../components/ui/table.tsx";
import { LINKS_ID } from "../../../lib/link-lists.ts";
import { LinkCard, ROW, ROW_CELLS } from "./link-card.tsx";
import { useFigures } from "./link-taps.tsx";
import { LINKS_UNASKED_MAX_COUNT, type LinkPage } from "./list-links.ts";
import type { ListView } from "./use-list-view.ts";
import type { Selection } from "./use-selection.ts";

interface LinkListProps {
  list: UseInfiniteQueryResult<InfiniteData<LinkPage>>;
  view: ListView;
  links: readonly Link[];
  onSort: (order: ListView["sort"]) => void;
  selection: Selection;
}

export function LinkList({ list, view, links, onSort, selection: { ids, toggle } }: LinkListProps) {
  const isPaused = list.isFetching || list.isFetchNextPageError;
  // So that find in page finds them.
  const isIncomplete = list.hasNextPage && !isPaused && links.length < LINKS_UNASKED_MAX_COUNT;
  const complete = useEffectEvent(() => list.fetchNextPage({ cancelRefetch: false }));
  useEffect(() => {
    if (isIncomplete) void complete();
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
        {list.data?.pages.map((page, index) => (
          <Cards key={index} links={page.links} ids={ids} toggle={toggle} />
        ))}
      </ul>
      <div className="mt-6 print:hidden">
        <NextPage list={list} failed="More links could not be loaded." />
      </div>
    </>
  );
}

function Cards({ links, ids, toggle }: Pick<LinkPage, "links"> & Pick<Selection, "ids" | "toggle">) {
  const figuresOf = useFigures(links);
  return links.map((link) => (
    <LinkCard
      key={link.id}
      link={link}
      {...figuresOf(link.shortCode)}
      isSelected={ids?.has(link.id)}
      onToggle={ids ? toggle : undefined}
    />
  ));
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
