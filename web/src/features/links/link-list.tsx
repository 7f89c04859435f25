import type { InfiniteData, UseInfiniteQueryResult } from "@tanstack/react-query";
import { memo } from "react";
import type { LinkPage } from "./api/list-links.ts";
import { LinkCard } from "./link-card.tsx";
import { LoadMore } from "./load-more.tsx";

interface LinkListProps {
  list: UseInfiniteQueryResult<InfiniteData<LinkPage>>;
  pathOf: (shortCode: string) => string;
}

export function LinkList({ list, pathOf }: LinkListProps) {
  const { data, hasNextPage, isFetching, isFetchingNextPage, isFetchNextPageError } = list;
  return (
    <>
      <ul
        aria-busy={list.isPlaceholderData}
        className="flex flex-col gap-3 transition-opacity aria-busy:opacity-60"
      >
        {data?.pages.map((page, index) => (
          <Page key={String(data.pageParams[index])} page={page} pathOf={pathOf} />
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

/** What has been rendered once stays as it is when more pages come. */
const Page = memo(function Page({
  page,
  pathOf,
}: { page: LinkPage } & Pick<LinkListProps, "pathOf">) {
  return page.links.map((link) => (
    <LinkCard key={link.id} link={link} to={pathOf(link.shortCode)} />
  ));
});
