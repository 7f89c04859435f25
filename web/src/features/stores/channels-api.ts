import { useQueryClient } from "@tanstack/react-query";
import type { Channel, updateChannel as UpdateChannel } from "@tapthru/proto/channels";
import type * as z from "zod/mini";
import { useCreation } from "../../components/revocable-items/use-creation.ts";
import { useRevocation } from "../../components/revocable-items/use-revocation.ts";
import { useErrorToast, useToast } from "../../components/ui/toaster.tsx";
import { channelsOptions } from "../../lib/channels.ts";
import { callApi } from "../../lib/http/call-api.ts";
import { httpErrorOf } from "../../lib/http/http-client.ts";
import { useSingleMutation } from "../../lib/use-single-mutation.ts";

const { queryKey } = channelsOptions;

interface Callbacks {
  onCreated: (created: Channel) => void;
  onFailed: (message: string) => void;
}

export function useCreateChannel({ onCreated, onFailed }: Callbacks) {
  const queryClient = useQueryClient();
  return useCreation({
    create: (body: { name: string }) => callApi("POST", "/api/channels", { body }),
    queryKeys: [queryKey],
    texts: {
      failed: "Failed to create the channel. Please try again.",
      replyLost: "No reply arrived. If the channel is not in the list now, create it again.",
    },
    onCreated(created) {
      queryClient.setQueryData(queryKey, (channels) => channels && [...channels, created]);
      onCreated(created);
    },
    onFailed,
  });
}

/** @param onFailed shows at its field why a name was refused; by default a toast says that nothing was changed */
export function useUpdateChannel(channelId: number, onFailed?: (message: string) => void) {
  const queryClient = useQueryClient();
  const toast = useToast();
  const showError = useErrorToast();
  return useSingleMutation({
    mutationFn: (body: z.input<(typeof UpdateChannel)["body"]>) =>
      callApi("PATCH", "/api/channels/:id", { params: { id: String(channelId) }, body }),
    onSuccess: () => void toast({ title: "Success", description: "The channel was changed." }),
    onError(error) {
      const refusal = httpErrorOf(error);
      const fail = onFailed ?? showError;
      fail(refusal?.status === 409 ? refusal.text : "Failed to change the channel. Please try again.");
    },
    // Another channel was the default, and lists show the name.
    onSettled: () => queryClient.invalidateQueries(),
  });
}

export function useDeleteChannel(channelId: number) {
  const queryClient = useQueryClient();
  return useRevocation({
    revoke: () => callApi("DELETE", "/api/channels/:id", { params: { id: String(channelId) } }),
    remove: () => queryClient.setQueryData(queryKey, (channels) => channels?.filter(({ id }) => id !== channelId)),
    // Links use the default channel now.
    queryKeys: [[]],
    texts: { revoked: "The channel was deleted.", revokedBefore: "The channel was deleted." },
  });
}
