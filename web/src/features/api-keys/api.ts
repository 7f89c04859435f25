import { useQueryClient } from "@tanstack/react-query";
import type { ApiKey, createKey as CreateKey } from "@tapthru/proto/keys";
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
    texts: {
      failed: "Failed to create the API key. Please try again.",
      replyLost: "No reply arrived. If the key is in the list now, revoke it and create another: its text was lost.",
    },
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
      queryClient.setQueryData(keysOptions.queryKey, (keys) => keys?.filter((key) => key.id !== id));
    },
    queryKeys: KEY_QUERIES,
    texts: {
      revoked: "The API key was revoked.",
      revokedBefore: "This API key had already been revoked.",
    },
  });
}
