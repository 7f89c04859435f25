import { type QueryKey, useQueryClient } from "@tanstack/react-query";
import { type HttpError, httpErrorOf, isNetworkFailure } from "../../lib/http/http-client.ts";
import { useSingleMutation } from "../../lib/use-single-mutation.ts";

interface CreationOptions<Body, Item> {
  create: (body: Body) => Promise<Item>;
  /** What shows the items. It is refetched after a failure too: the item may have been created. */
  queryKeys: readonly QueryKey[];
  texts: { failed: string; replyLost: string };
  /** Called before the refetch. */
  onCreated: (created: Item) => void;
  onFailed: (message: string) => void;
}

/** Creates an item of a list that the user can revoke. */
export function useCreation<Body, Item>(options: CreationOptions<Body, Item>) {
  const { create, queryKeys, texts, onCreated, onFailed } = options;
  const queryClient = useQueryClient();
  return useSingleMutation<Item, Body>({
    mutationFn: create,
    // The reply may contain a secret.
    gcTime: 0,
    onSuccess: onCreated,
    onError(error) {
      const refusal = httpErrorOf(error);
      if (refusal && isExplained(refusal)) onFailed(refusal.text);
      else onFailed(isNetworkFailure(error) ? texts.replyLost : texts.failed);
    },
    onSettled() {
      for (const queryKey of queryKeys) void queryClient.invalidateQueries({ queryKey });
    },
  });
}

/** Whether the api says what the user can do. */
function isExplained({ status }: HttpError): boolean {
  return status === 409 || status === 422;
}
