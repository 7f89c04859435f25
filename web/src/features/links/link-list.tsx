import type { InfiniteData, UseInfiniteQueryResult } from "@tanstack/react-query";
import type { Link } from "@tapthru/proto/http/links";
import { LINKS_RENDERED_MAX_COUNT } from "@tapthru/proto/rules/limits";
import { messages } from "@tapthru/proto/rules/messages";
import { useEffect, useEffectEvent } from "react";
import type { LinkPage } from "./api/list-links.ts";
import { LinkCard } from "./link-card.tsx";
import { LoadMore } from "./load-more.tsx";
import { useCardsInView } from "./use-cards-in-view.ts";
import type { Selection } from "./use-selection.ts";

interface LinkListProps {
  list: UseInfiniteQueryResult<InfiniteData<LinkPage>>;
  /** The loaded links that are shown. */
  links: readonly Link[];
  /** Whether more links can be loaded. */
  areMore: boolean;
  pathOf: (shortCode: string) => string;
  selection: Selection;
}

/** Renders a short list whole, and of a longer one the cards in view and a few around them. */
export function LinkList({ list, links, areMore, pathOf, selection }: LinkListProps) {
  const { isFetching, isFetchingNextPage, isFetchNextPageError } = list;
  const { ref, cards, measureCard, spaceBefore, spaceAfter } = useCardsInView(links);
  const { selected, toggle } = selection;
  const selectedIds = selected && new Set(selected.map(({ id }) => id));
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
      <p role="status" className="sr-only">
        {messages.linksShown(links.length, areMore)}
      </p>
      <ul
        ref={ref}
        aria-busy={list.isPlaceholderData}
        style={{ paddingTop: spaceBefore, paddingBottom: spaceAfter }}
        className="flex flex-col gap-3 transition-opacity aria-busy:opacity-60"
      >
        {cards.map(({ link, index }) => (
          <LinkCard
            key={link.id}
            ref={measureCard}
            link={link}
            to={pathOf(link.shortCode)}
            position={index + 1}
            listLength={areMore ? null : links.length}
            isSelected={selectedIds?.has(link.id)}
            onToggle={selectedIds ? toggle : undefined}
          />
        ))}
      </ul>
      {areMore && (
        <LoadMore
          paused={isPaused}
          loading={isFetchingNextPage}
          failed={isFetchNextPageError}
          onLoad={loadNextPage}
        />
      )}
    </>
  );
}
