import type { InfiniteData, UseInfiniteQueryResult } from "@tanstack/react-query";
import type { Link } from "@tapthru/proto/links";
import { useEffect, useEffectEvent, useRef } from "react";
import { NextPage } from "../../../components/ui/loaded.tsx";
import { SortButton } from "../../../components/ui/table.tsx";
import { LINKS_ID } from "../../../lib/link-lists.ts";
import type { CardMenuProps } from "./card-menu.tsx";
import { LinkCard, ROW, ROW_CELLS } from "./link-card.tsx";
import { LINKS_RENDERED_MAX_COUNT, type LinkPage, useFreshPages } from "./list-links.ts";
import { useCardsInView } from "./use-cards-in-view.ts";
import type { ListView } from "./use-list-view.ts";
import type { Selection } from "./use-selection.ts";

interface LinkListProps {
  list: UseInfiniteQueryResult<InfiniteData<LinkPage>>;
  view: ListView;
  links: readonly Link[];
  areMore: boolean;
  onSort: (order: ListView["sort"]) => void;
  selection: Selection;
  /** The same function in each render, so that cards are not rendered again. */
  onDelete: CardMenuProps["onDelete"];
}

/** Renders a short list whole, and of a longer one the cards in view and a few around them. */
export function LinkList(props: LinkListProps) {
  const { list, view, links, areMore, onSort, selection, onDelete } = props;
  const { isFetching, isFetchNextPageError } = list;
  const { ref, cards, measureCard, spaceBefore, spaceAfter } = useCardsInView(links);
  useFreshPages(view, list.data, new Set(cards.map(({ link }) => link.id)));
  const { ids, toggle } = selection;
  const isPaused = isFetching || isFetchNextPageError;
  const loadNextPage = () => list.fetchNextPage({ cancelRefetch: false });

  // The part that is rendered whole loads without scrolling, so that find in page finds all of it.
  const isIncomplete = areMore && !isPaused && links.length < LINKS_RENDERED_MAX_COUNT;
  const complete = useEffectEvent(loadNextPage);
  useEffect(() => {
    if (isIncomplete) complete();
  }, [isIncomplete]);

  return (
    <>
      <ColumnHeaders order={view.sort} isDisabled={ids !== null} onSort={onSort} />
      <ul
        ref={ref}
        id={LINKS_ID}
        tabIndex={-1}
        aria-busy={list.isPlaceholderData}
        style={{ paddingTop: spaceBefore, paddingBottom: spaceAfter }}
        className="outline-none transition-opacity aria-busy:opacity-60"
      >
        {cards.map(({ link, index }) => (
          <LinkCard
            key={link.id}
            ref={measureCard}
            link={link}
            position={index + 1}
            listLength={areMore ? null : links.length}
            isSelected={ids?.has(link.id)}
            onToggle={ids ? toggle : undefined}
            onDelete={onDelete}
          />
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
