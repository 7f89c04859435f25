import type { InfiniteData, UseInfiniteQueryResult } from "@tanstack/react-query";
import type { LinkPage } from "./api/list-links.ts";
import { LinkCard } from "./link-card.tsx";
import { LoadMore } from "./load-more.tsx";
import { useCardsInView } from "./use-cards-in-view.ts";

interface LinkListProps {
  list: UseInfiniteQueryResult<InfiniteData<LinkPage>>;
  pathOf: (shortCode: string) => string;
}

/** Renders only the cards in view and a few around them, because a list may have thousands. */
export function LinkList({ list, pathOf }: LinkListProps) {
  const { hasNextPage, isFetching, isFetchingNextPage, isFetchNextPageError } = list;
  const links = list.data?.pages.flatMap((page) => page.links) ?? [];
  const { ref, cards, measureCard, spaceBefore, spaceAfter } = useCardsInView(links);
  return (
    <>
      <ul
        ref={ref}
        aria-busy={list.isPlaceholderData}
        style={{ paddingTop: spaceBefore, paddingBottom: spaceAfter }}
        className="@container flex flex-col gap-3 transition-opacity aria-busy:opacity-60"
      >
        {cards.map(({ link, index }) => (
          <LinkCard
            key={link.id}
            ref={measureCard}
            link={link}
            to={pathOf(link.shortCode)}
            position={index + 1}
            listLength={hasNextPage ? null : links.length}
          />
        ))}
      </ul>
      {hasNextPage && (
        <LoadMore
          paused={isFetching || isFetchNextPageError}
          loading={isFetchingNextPage}
          failed={isFetchNextPageError}
          onLoad={() => list.fetchNextPage({ cancelRefetch: false })}
        />
      )}
    </>
  );
}
