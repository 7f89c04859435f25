import { queryOptions, useMutation, useQueryClient } from "@tanstack/react-query";
import type { getLinkRouting, saveLinkRouting } from "@tapthru/proto/http/routing";
import { LINKS_RETRIES } from "@tapthru/proto/rules/limits";
import type { RoutingChoice } from "@tapthru/proto/rules/routing/routing-choices";
import { callApi } from "../../../lib/http/call-api.ts";
import { isRetryable } from "../../../lib/http/http-client.ts";

const PATH = "/api/links/:shortCode/routing";

export function linkRoutingOptions(shortCode: string) {
  return queryOptions({
    queryKey: [`/api/links/${shortCode}/routing`],
    queryFn: ({ signal }) =>
      callApi<typeof getLinkRouting>("GET", PATH, { params: { shortCode }, signal }),
    staleTime: 0,
    retry: (failures, error) => failures < LINKS_RETRIES && isRetryable(error),
  });
}

export function useSaveLinkRouting(shortCode: string) {
  const queryClient = useQueryClient();
  const { queryKey } = linkRoutingOptions(shortCode);
  return useMutation({
    mutationFn: (choice: RoutingChoice) =>
      callApi<typeof saveLinkRouting>("PUT", PATH, { params: { shortCode }, body: { choice } }),
    async onSuccess(routing) {
      // A reply that was requested earlier lacks the change.
      await queryClient.cancelQueries({ queryKey });
      queryClient.setQueryData(queryKey, routing);
    },
  });
}
