import { useInfiniteQuery } from "@tanstack/react-query";
import { linkListOptions } from "./api/list-links.ts";
import { LinkList } from "./link-list.tsx";
import { LinkSearch } from "./link-search.tsx";
import { LinksSkeleton } from "./links-skeleton.tsx";
import { LoadingFailed, NoLinks, NoMatch } from "./list-messages.tsx";
import { useLinkSearch } from "./use-link-search.ts";

/** The user's links, and a search in them. */
export function Links({ pathOf }: { pathOf: (shortCode: string) => string }) {
  const { search, clear, ...field } = useLinkSearch();
  const list = useInfiniteQuery(linkListOptions(search));
  const isEmpty = list.data?.pages[0]?.links.length === 0;
  const isLoading = list.isPending || (isEmpty && list.isPlaceholderData);

  if (list.isLoadingError) return <LoadingFailed onRetry={list.refetch} />;
  if (isEmpty && !search) return <NoLinks />;
  return (
    <>
      <LinkSearch {...field} />
      {isLoading && <LinksSkeleton />}
      {!isLoading && isEmpty && <NoMatch search={search} onClear={clear} />}
      {!isLoading && !isEmpty && <LinkList list={list} pathOf={pathOf} />}
    </>
  );
}
