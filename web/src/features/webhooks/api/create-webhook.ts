import { useQueryClient } from "@tanstack/react-query";
import type { createWebhook as CreateWebhook } from "@tapthru/proto/http/webhooks";
import { messages } from "@tapthru/proto/rules/messages";
import type * as z from "zod/mini";
import { useCreation } from "../../../components/revocable-items/use-creation.ts";
import { callApi } from "../../../lib/http/call-api.ts";
import { webhooksOptions } from "./list-webhooks.ts";

interface Callbacks {
  /** Called with the secret, which is not stored. */
  onCreated: (secret: string) => void;
  onFailed: (message: string) => void;
}

export function useCreateWebhook({ onCreated, onFailed }: Callbacks) {
  const queryClient = useQueryClient();
  return useCreation({
    create: (body: z.input<(typeof CreateWebhook)["body"]>) =>
      callApi<typeof CreateWebhook>("POST", "/api/webhooks", { body }),
    queryKeys: [webhooksOptions.queryKey],
    texts: { failed: messages.failedToCreateWebhook, replyLost: messages.webhookReplyLost },
    onCreated({ secret, ...created }) {
      queryClient.setQueryData(
        webhooksOptions.queryKey,
        (webhooks) => webhooks && [...webhooks, created],
      );
      onCreated(secret);
    },
    onFailed,
  });
}
