import { queryOptions, useMutation, useQueryClient } from "@tanstack/react-query";
import type { RoutingSettings } from "@tapthru/proto/routing";
import type { RoutingChoice } from "@tapthru/proto/rules/routing/routing-choices";
import { callApi } from "../../lib/http/call-api.ts";
import { LINK_QUERY, queryOf } from "../../lib/http/query-presets.ts";

export const ROUTING_TEXT =
  "Visitors can be sent to the Amazon store of their own country, with your tag for it. This happens in stores for which you saved a tag and which are known to sell the product. Stores that OneLink serves are left to Amazon.";

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

export function useSaveLinkRouting(shortCode: string) {
  const queryClient = useQueryClient();
  const { queryKey } = linkRoutingOptions(shortCode);
  return useMutation({
    mutationFn: (choice: RoutingChoice) =>
      callApi("PUT /api/links/:shortCode/routing", {
        params: { shortCode },
        body: { choice },
      }),
    async onSuccess(routing) {
      // A reply that was requested earlier lacks the change.
      await queryClient.cancelQueries({ queryKey });
      queryClient.setQueryData(queryKey, routing);
    },
  });
}

export const routingSettingsOptions = queryOf("GET /api/routing");

export function useSaveRoutingSettings() {
  const queryClient = useQueryClient();
  const { queryKey } = routingSettingsOptions;
  return useMutation({
    mutationFn: (body: RoutingSettings) => callApi("PUT /api/routing", { body }),
    async onSuccess(settings) {
      // Settings that were requested earlier lack the change.
      await queryClient.cancelQueries({ queryKey });
      queryClient.setQueryData(queryKey, settings);
    },
  });
}
