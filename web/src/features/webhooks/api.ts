import { queryOptions, useQueryClient } from "@tanstack/react-query";
import type { createWebhook as CreateWebhook, updateWebhook as UpdateWebhook, Webhook } from "@tapthru/proto/webhooks";
import type * as z from "zod/mini";
import { useCreation } from "../../components/revocable-items/use-creation.ts";
import { useRevocation } from "../../components/revocable-items/use-revocation.ts";
import { useErrorToast, useToast } from "../../components/ui/toaster.tsx";
import { callApi } from "../../lib/http/call-api.ts";
import { httpErrorOf } from "../../lib/http/http-client.ts";
import { useSingleMutation } from "../../lib/use-single-mutation.ts";

const path = "/api/webhooks";
const deliveriesPath = "/api/webhooks/:id/deliveries";

/** Always stale: the state changes with each request. */
export const webhooksOptions = queryOptions({
  queryKey: [path],
  queryFn: ({ signal }) => callApi("GET", path, { signal }),
  staleTime: 0,
});

export const deliveriesOptions = (id: number) =>
  queryOptions({
    queryKey: [deliveriesPath, id],
    queryFn: ({ signal }) =>
      callApi("GET", deliveriesPath, {
        params: { id: String(id) },
        query: {},
        signal,
      }),
    staleTime: 0,
  });

interface Callbacks {
  /** Called with the secret, which is not stored. */
  onCreated: (secret: string) => void;
  onFailed: (message: string) => void;
}

export function useCreateWebhook({ onCreated, onFailed }: Callbacks) {
  const queryClient = useQueryClient();
  return useCreation({
    create: (body: z.input<(typeof CreateWebhook)["body"]>) => callApi("POST", "/api/webhooks", { body }),
    queryKeys: [webhooksOptions.queryKey],
    texts: {
      failed: "Failed to create the webhook. Please try again.",
      replyLost:
        "No reply arrived. If the webhook is in the list now, delete it and create another: its secret was lost.",
    },
    onCreated({ secret, ...created }) {
      queryClient.setQueryData(webhooksOptions.queryKey, (webhooks) => webhooks && [...webhooks, created]);
      onCreated(secret);
    },
    onFailed,
  });
}

const queryKey = webhooksOptions.queryKey;

/** @param onDeleted called once the webhook is no longer in the list */
export function useDeleteWebhook({ id }: Webhook, onDeleted: () => void) {
  const queryClient = useQueryClient();
  return useRevocation({
    revoke: () => callApi("DELETE", "/api/webhooks/:id", { params: { id: String(id) } }),
    remove() {
      onDeleted();
      queryClient.setQueryData(queryKey, (webhooks) => webhooks?.filter((each) => each.id !== id));
    },
    queryKeys: [queryKey],
    texts: {
      revoked: "The webhook was deleted.",
      revokedBefore: "This webhook had already been deleted.",
    },
  });
}

/** Changes the events of a webhook, enables or disables it. */
export function useUpdateWebhook({ id }: Webhook) {
  const queryClient = useQueryClient();
  const toast = useToast();
  const showError = useErrorToast();
  return useSingleMutation({
    mutationFn: (body: z.input<(typeof UpdateWebhook)["body"]>) =>
      callApi("PATCH", "/api/webhooks/:id", {
        params: { id: String(id) },
        body,
      }),
    onSuccess(changed, { events, enabled }) {
      queryClient.setQueryData(queryKey, (webhooks) => webhooks?.map((each) => (each.id === id ? changed : each)));
      const state = enabled ? "The webhook is enabled." : "The webhook is disabled.";
      toast({
        title: "Success",
        description: events === undefined ? state : "The events of the webhook were changed.",
      });
    },
    onError: () => showError("Failed to change the webhook. Please try again."),
    onSettled: () => queryClient.invalidateQueries({ queryKey }),
  });
}

export function useRenewSecret({ id }: Webhook) {
  const queryClient = useQueryClient();
  const showError = useErrorToast();
  return useSingleMutation({
    mutationFn: (_: undefined) =>
      callApi("POST", "/api/webhooks/:id/secret", {
        params: { id: String(id) },
      }),
    // The reply has a secret.
    gcTime: 0,
    onError(error) {
      const refusal = httpErrorOf(error);
      showError(refusal?.status === 409 ? refusal.text : "Failed to renew the secret. Please try again.");
    },
    onSettled: () => queryClient.invalidateQueries({ queryKey }),
  });
}

export function useReplay(webhookId: number, deliveryId: string) {
  const queryClient = useQueryClient();
  const toast = useToast();
  const showError = useErrorToast();
  const { queryKey } = deliveriesOptions(webhookId);
  return useSingleMutation({
    mutationFn: (_: undefined) =>
      callApi("POST", "/api/webhooks/:id/deliveries/:deliveryId/replay", {
        params: { id: String(webhookId), deliveryId },
      }),
    onSuccess(replayed) {
      queryClient.setQueryData(queryKey, (deliveries) =>
        deliveries?.map((each) => (each.id === deliveryId ? replayed : each)),
      );
      toast({ description: "The event will be sent again in a moment." });
    },
    onError(error) {
      const refusal = httpErrorOf(error);
      showError(refusal?.status === 409 ? refusal.text : "Failed to send the event again. Please try again.");
    },
    onSettled: () => queryClient.invalidateQueries({ queryKey }),
  });
}
