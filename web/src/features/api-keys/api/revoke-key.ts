import { useQueryClient } from "@tanstack/react-query";
import type { ApiKey, revokeKey as RevokeKey } from "@tapthru/proto/http/keys";
import { messages } from "@tapthru/proto/rules/messages";
import { useRevocation } from "../../../components/revocable-items/use-revocation.ts";
import { callApi } from "../../../lib/http/call-api.ts";
import { KEY_QUERIES, keysOptions } from "./list-keys.ts";

/** @param onRevoked called once the key is no longer in the list */
export function useRevokeKey({ id }: ApiKey, onRevoked: () => void) {
  const queryClient = useQueryClient();
  return useRevocation({
    revoke: () =>
      callApi<typeof RevokeKey>("DELETE", "/api/keys/:id", { params: { id: String(id) } }),
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
