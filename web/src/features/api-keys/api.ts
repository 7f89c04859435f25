import { useQueryClient } from "@tanstack/react-query";
import type { ApiKey, createKey as CreateKey } from "@tapthru/proto/http/keys";
import { messages } from "@tapthru/proto/rules/messages";
import type * as z from "zod/mini";
import { useCreation } from "../../components/revocable-items/use-creation.ts";
import { useRevocation } from "../../components/revocable-items/use-revocation.ts";
import { keysOptions } from "../../lib/api-keys.ts";
import { callApi } from "../../lib/http/call-api.ts";

/** Of the queries that a created or revoked key changes. */
const KEY_QUERIES = [keysOptions.queryKey];

interface Callbacks {
  /** Called with the text of the key, which is not stored. */
  onCreated: (key: string) => void;
  onFailed: (message: string) => void;
}

export function useCreateKey({ onCreated, onFailed }: Callbacks) {
  const queryClient = useQueryClient();
  return useCreation({
    create: (body: z.input<(typeof CreateKey)["body"]>) => callApi("POST", "/api/keys", { body }),
    queryKeys: KEY_QUERIES,
    texts: { failed: messages.failedToCreateKey, replyLost: messages.keyReplyLost },
    onCreated({ key, ...created }) {
      queryClient.setQueryData(keysOptions.queryKey, (keys) => keys && [created, ...keys]);
      onCreated(key);
    },
    onFailed,
  });
}

/** @param onRevoked called once the key is no longer in the list */
export function useRevokeKey({ id }: ApiKey, onRevoked: () => void) {
  const queryClient = useQueryClient();
  return useRevocation({
    revoke: () => callApi("DELETE", "/api/keys/:id", { params: { id: String(id) } }),
    remove() {
      onRevoked();
      queryClient.setQueryData(keysOptions.queryKey, (keys) =>
        keys?.filter((key) => key.id !== id),
      );
    },
    queryKeys: KEY_QUERIES,
    texts: { revoked: messages.keyRevoked, revokedBefore: messages.keyRevokedBefore },
  });
}
