import { type QueryClient, queryOptions } from "@tanstack/react-query";
import type { listLabels as ListLabels } from "@tapthru/proto/http/labels";
import { callApi } from "../../../lib/http/call-api.ts";
import { refreshChangedLists } from "../../../lib/link-lists.ts";
import { linkOptions } from "./get-link.ts";

const path: (typeof ListLabels)["path"] = "/api/labels";

/** The user's labels, by name. */
export const labelsOptions = queryOptions({
  queryKey: [path],
  queryFn: ({ signal }) => callApi<typeof ListLabels>("GET", path, { signal }),
  // Labels may have been created elsewhere.
  staleTime: 0,
});

/** Refetches everything that shows labels. */
export async function refreshLabels(queryClient: QueryClient): Promise<void> {
  const [detailsPrefix = ""] = linkOptions("").queryKey;
  await Promise.all([
    refreshChangedLists(queryClient),
    queryClient.invalidateQueries(labelsOptions),
    queryClient.invalidateQueries({
      predicate: ({ queryKey: [key] }) => typeof key === "string" && key.startsWith(detailsPrefix),
    }),
  ]);
}
