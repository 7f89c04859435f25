import { type QueryClient, queryOptions, useMutation, useQueryClient } from "@tanstack/react-query";
import type { CountedLabel, Label } from "@tapthru/proto/labels";
import { callApi } from "../../../lib/http/call-api.ts";
import { refreshChangedLists } from "../../../lib/link-lists.ts";
import { LINK_KEY } from "../get-link.ts";

export const LABELS_NOT_SAVED = "The labels could not be saved. Please try again.";

const path = "/api/labels";

/** The user's labels, by name. */
export const labelsOptions = queryOptions({
  queryKey: [path],
  queryFn: ({ signal }) => callApi(`GET ${path}`, { signal }),
  // Labels may have been created elsewhere.
  staleTime: 0,
});

/** Refetches everything that shows labels. */
async function refreshLabels(queryClient: QueryClient): Promise<void> {
  await Promise.all([
    refreshChangedLists(queryClient),
    queryClient.invalidateQueries(labelsOptions),
    queryClient.invalidateQueries({ queryKey: [LINK_KEY] }),
  ]);
}

/** Changes the name and the colour of a label. */
export function useUpdateLabel() {
  const queryClient = useQueryClient();
  return useMutation({
    mutationFn: ({ id, ...body }: Omit<CountedLabel, "linkCount">) =>
      callApi("PATCH /api/labels/:id", { params: { id: String(id) }, body }),
    onSettled: () => refreshLabels(queryClient),
  });
}

export function useDeleteLabel() {
  const queryClient = useQueryClient();
  return useMutation({
    mutationFn: ({ id }: Label) => callApi("DELETE /api/labels/:id", { params: { id: String(id) } }),
    onSettled: () => refreshLabels(queryClient),
  });
}
