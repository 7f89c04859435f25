import { queryOptions, useMutation, useQueryClient } from "@tanstack/react-query";
import type { getDigest, saveDigest } from "@tapthru/proto/http/digest";
import { callApi } from "../../../lib/http/call-api.ts";

export const digestOptions = queryOptions({
  queryKey: ["/api/digest"],
  queryFn: ({ signal }) => callApi<typeof getDigest>("GET", "/api/digest", { signal }),
  // The link in an email switches it off.
  staleTime: 0,
  refetchOnWindowFocus: true,
});

export function useSwitchDigest() {
  const queryClient = useQueryClient();
  const { queryKey } = digestOptions;
  return useMutation({
    mutationFn: (isOn: boolean) =>
      callApi<typeof saveDigest>("PUT", "/api/digest", { body: { isOn } }),
    async onSuccess(settings) {
      // A reply that was requested earlier lacks the change.
      await queryClient.cancelQueries({ queryKey });
      queryClient.setQueryData(queryKey, settings);
    },
  });
}
