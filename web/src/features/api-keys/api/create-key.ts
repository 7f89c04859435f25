import { useQueryClient } from "@tanstack/react-query";
import type { createKey as CreateKey } from "@tapthru/proto/http/keys";
import { messages } from "@tapthru/proto/rules/messages";
import type * as z from "zod/mini";
import { useCreation } from "../../../components/revocable-items/use-creation.ts";
import { callApi } from "../../../lib/http/call-api.ts";
import { KEY_QUERIES, keysOptions } from "./list-keys.ts";

interface Callbacks {
  /** Called with the text of the key, which is not stored. */
  onCreated: (key: string) => void;
  onFailed: (message: string) => void;
}

export function useCreateKey({ onCreated, onFailed }: Callbacks) {
  const queryClient = useQueryClient();
  return useCreation({
    create: (body: z.input<(typeof CreateKey)["body"]>) =>
      callApi<typeof CreateKey>("POST", "/api/keys", { body }),
    queryKeys: KEY_QUERIES,
    texts: { failed: messages.failedToCreateKey, replyLost: messages.keyReplyLost },
    onCreated({ key, ...created }) {
      queryClient.setQueryData(keysOptions.queryKey, (keys) => keys && [created, ...keys]);
      onCreated(key);
    },
    onFailed,
  });
}
