import { queryOptions, useQueryClient } from "@tanstack/react-query";
import { useErrorToast, useToast } from "../../components/ui/toaster.tsx";
import { callApi } from "../../lib/http/call-api.ts";
import { useSingleMutation } from "../../lib/use-single-mutation.ts";

const PATH = "/api/amazon-ads/connection";

export const connectionOptions = queryOptions({
  queryKey: [PATH],
  queryFn: ({ signal }) => callApi(`GET ${PATH}`, { signal }),
});

/** The URL of the Amazon page where the user logs in and consents. */
export async function getAuthUrl(): Promise<string> {
  try {
    return (await callApi("GET /api/amazon-ads/auth-url", {})).url;
  } catch (cause) {
    throw new Error("Failed to get authentication URL", { cause });
  }
}

export function useDisconnect() {
  const queryClient = useQueryClient();
  const toast = useToast();
  const showError = useErrorToast();

  return useSingleMutation<unknown, void>({
    mutationFn: () => callApi("DELETE /api/amazon-ads/connection", {}),
    onSuccess() {
      queryClient.setQueryData(connectionOptions.queryKey, { connection: null });
      toast({
        title: "Amazon Ads disconnected",
        description: "Your Amazon Ads data has been deleted.",
      });
    },
    onError() {
      showError("Failed to disconnect Amazon Ads. Please try again.");
    },
  });
}
