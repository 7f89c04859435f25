import { queryOptions, useMutation, useQueryClient } from "@tanstack/react-query";
import type { RoutingSettings } from "@tapthru/proto/http/routing";
import { LINKS_RETRIES } from "@tapthru/proto/rules/limits";
import type { RoutingChoice } from "@tapthru/proto/rules/routing/routing-choices";
import { callApi } from "../../lib/http/call-api.ts";
import { isRetryable } from "../../lib/http/http-client.ts";

const LINK_ROUTING_PATH = "/api/links/:shortCode/routing";

export function linkRoutingOptions(shortCode: string) {
  return queryOptions({
    queryKey: [`/api/links/${shortCode}/routing`],
    queryFn: ({ signal }) => callApi("GET", LINK_ROUTING_PATH, { params: { shortCode }, signal }),
    staleTime: 0,
    retry: (failures, error) => failures < LINKS_RETRIES && isRetryable(error),
  });
}

export function useSaveLinkRouting(shortCode: string) {
  const queryClient = useQueryClient();
  const { queryKey } = linkRoutingOptions(shortCode);
  return useMutation({
    mutationFn: (choice: RoutingChoice) =>
      callApi("PUT", LINK_ROUTING_PATH, {
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

const RETRIES = 1;

export const routingSettingsOptions = queryOptions({
  queryKey: ["/api/routing"],
  queryFn: ({ signal }) => callApi("GET", "/api/routing", { signal }),
  // Another tab may have changed them.
  staleTime: 0,
  refetchOnWindowFocus: true,
  retry: (failures, error) => failures < RETRIES && isRetryable(error),
});

export function useSaveRoutingSettings() {
  const queryClient = useQueryClient();
  const { queryKey } = routingSettingsOptions;
  return useMutation({
    mutationFn: (body: RoutingSettings) => callApi("PUT", "/api/routing", { body }),
    async onSuccess(settings) {
      // Settings that were requested earlier lack the change.
      await queryClient.cancelQueries({ queryKey });
      queryClient.setQueryData(queryKey, settings);
    },
  });
}
