import { useMutation, useQueryClient } from "@tanstack/react-query";
import type { saveLinkRouting } from "@tapthru/proto/http/routing";
import type { RoutingChoice } from "@tapthru/proto/rules/routing/routing-choices";
import { callApi } from "../../../lib/http/call-api.ts";
import { LINK_ROUTING_PATH, linkRoutingOptions } from "../../../lib/link-routing.ts";

export function useSaveLinkRouting(shortCode: string) {
  const queryClient = useQueryClient();
  const { queryKey } = linkRoutingOptions(shortCode);
  return useMutation({
    mutationFn: (choice: RoutingChoice) =>
      callApi<typeof saveLinkRouting>("PUT", LINK_ROUTING_PATH, {
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
