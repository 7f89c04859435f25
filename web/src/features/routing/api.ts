import { queryOptions } from "@tanstack/react-query";
import { callApi } from "../../lib/http/call-api.ts";
import { LINK_QUERY } from "../../lib/http/query-presets.ts";

export const ROUTING_TEXT =
  "Visitors can be sent to the Amazon store of their country, with your tag for it. You need a tag there, and the store must sell the product. Stores that OneLink serves are left to Amazon.";

export const NOT_SAVED = "Not saved. Please try again.";
export const FAILED_TO_LOAD_ROUTING = "Failed to load this setting. Please try again.";

export function linkRoutingOptions(shortCode: string) {
  return queryOptions({
    ...LINK_QUERY,
    queryKey: ["/api/links/:shortCode", shortCode, "routing"],
    queryFn: ({ signal }) => callApi("GET /api/links/:shortCode/routing", { params: { shortCode }, signal }),
    // The settings of the account may have changed.
    staleTime: 0,
  });
}
