import { queryOptions } from "@tanstack/react-query";
import { callApi } from "../../../lib/http/call-api.ts";

export const LABELS_NOT_SAVED = "The labels could not be saved. Please try again.";

const path = "/api/labels";

export const labelsOptions = queryOptions({
  queryKey: [path],
  queryFn: ({ signal }) => callApi(`GET ${path}`, { signal }),
  // Labels may have been created elsewhere.
  staleTime: 0,
});
