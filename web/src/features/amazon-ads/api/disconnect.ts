import { useQueryClient } from "@tanstack/react-query";
import type { deleteAmazonAdsConnection as DeleteConnection } from "@tapthru/proto/http/amazon-ads";
import { messages } from "@tapthru/proto/rules/messages";
import { useErrorToast, useToast } from "../../../components/ui/toaster.tsx";
import { callApi } from "../../../lib/http/call-api.ts";
import { useSingleMutation } from "../../../lib/use-single-mutation.ts";
import { connectionOptions } from "./get-connection.ts";

export function useDisconnect() {
  const queryClient = useQueryClient();
  const toast = useToast();
  const showError = useErrorToast();

  return useSingleMutation<unknown, void>({
    mutationFn: () => callApi<typeof DeleteConnection>("DELETE", "/api/amazon-ads/connection", {}),
    onSuccess() {
      queryClient.setQueryData(connectionOptions.queryKey, { connection: null });
      toast({ title: messages.adsDisconnected, description: messages.adsDisconnectedText });
    },
    onError() {
      showError(messages.failedToDisconnectAds);
    },
  });
}
