import { queryOptions, useQueryClient } from "@tanstack/react-query";
import type { AdsRegion } from "@tapthru/proto/rules/amazon/marketplaces";
import { messages } from "@tapthru/proto/rules/messages";
import { useErrorToast, useToast } from "../../components/ui/toaster.tsx";
import { callApi } from "../../lib/http/call-api.ts";
import { useSingleMutation } from "../../lib/use-single-mutation.ts";

const PATH = "/api/amazon-ads/connection";

/** Always stale, so that each visit to the page refetches it: Amazon may have ended the connection. */
export const connectionOptions = queryOptions({
  queryKey: [PATH],
  queryFn: ({ signal }) => callApi("GET", PATH, { signal }),
  staleTime: 0,
});

/** The URL of the Amazon page where the user logs in and consents. */
export async function getAuthUrl(region: AdsRegion): Promise<string> {
  try {
    const path = "/api/amazon-ads/auth-url";
    return (await callApi("GET", path, { query: { region } })).url;
  } catch (cause) {
    throw new Error(messages.failedToGetAuthUrl, { cause });
  }
}

export function useDisconnect() {
  const queryClient = useQueryClient();
  const toast = useToast();
  const showError = useErrorToast();

  return useSingleMutation<unknown, void>({
    mutationFn: () => callApi("DELETE", "/api/amazon-ads/connection", {}),
    onSuccess() {
      queryClient.setQueryData(connectionOptions.queryKey, { connection: null });
      toast({ title: messages.adsDisconnected, description: messages.adsDisconnectedText });
    },
    onError() {
      showError(messages.failedToDisconnectAds);
    },
  });
}
