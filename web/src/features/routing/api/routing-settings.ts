import { queryOptions, useMutation, useQueryClient } from "@tanstack/react-query";
import type {
  getRoutingSettings,
  RoutingSettings,
  saveRoutingSettings,
} from "@tapthru/proto/http/routing";
import { callApi } from "../../../lib/http/call-api.ts";
import { isRetryable } from "../../../lib/http/http-client.ts";

const RETRIES = 1;

export const routingSettingsOptions = queryOptions({
  queryKey: ["/api/routing"],
  queryFn: ({ signal }) => callApi<typeof getRoutingSettings>("GET", "/api/routing", { signal }),
  // Another tab may have changed them.
  staleTime: 0,
  refetchOnWindowFocus: true,
  retry: (failures, error) => failures < RETRIES && isRetryable(error),
});

export function useSaveRoutingSettings() {
  const queryClient = useQueryClient();
  const { queryKey } = routingSettingsOptions;
  return useMutation({
    mutationFn: (body: RoutingSettings) =>
      callApi<typeof saveRoutingSettings>("PUT", "/api/routing", { body }),
    async onSuccess(settings) {
      // Settings that were requested earlier lack the change.
      await queryClient.cancelQueries({ queryKey });
      queryClient.setQueryData(queryKey, settings);
    },
  });
}
