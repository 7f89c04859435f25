import { useInfiniteQuery } from "@tanstack/react-query";
import { messages } from "@tapthru/proto/rules/messages";
import { LoadingFailed } from "../../components/ui/loading-failed.tsx";
import { linkListOptions } from "./api/list-links.ts";
import { LinkList } from "./link-list.tsx";
import { LinkSearch } from "./link-search.tsx";
import { LinksSkeleton } from "./links-skeleton.tsx";
import { NoLinks, NoMatch } from "./list-messages.tsx";
import { useLinkSearch } from "./use-link-search.ts";

/** The user's links, with a search. */
export function Links({ pathOf }: { pathOf: (shortCode: string) => string }) {
  const { search, clear, ...field } = useLinkSearch();
  const list = useInfiniteQuery(linkListOptions(search));
  const isEmpty = list.data?.pages[0]?.links.length === 0;
  const isLoading = list.isPending || (isEmpty && list.isPlaceholderData);

  if (isEmpty && !search) return <NoLinks />;
  return (
    <>
      {(search || !list.isLoadingError) && <LinkSearch {...field} />}
      {list.isLoadingError && (
        <LoadingFailed
          message={messages.errorLoadingLinks}
          action={messages.tryAgain}
          onAction={() => list.refetch()}
        />
      )}
      {isLoading && <LinksSkeleton />}
      {!isLoading && isEmpty && <NoMatch search={search} onClear={clear} />}
      {list.data && !isEmpty && <LinkList list={list} pathOf={pathOf} />}
    </>
  );
}
