import { type QueryKey, useQueryClient } from "@tanstack/react-query";
import { httpErrorOf } from "../../lib/http/http-client.ts";
import { useSingleMutation } from "../../lib/use-single-mutation.ts";
import { useErrorToast, useToast } from "../ui/toaster.tsx";

interface RevocationOptions {
  revoke: () => Promise<unknown>;
  /** Removes the item from the cached list. */
  remove: () => void;
  /** What shows the items. It is refetched after a failure too: the item may have been revoked. */
  queryKeys: readonly QueryKey[];
  texts: { revoked: string; revokedBefore: string };
}

/** Revokes an item of a list, and shows a toast. 404 means that it was revoked elsewhere. */
export function useRevocation({ revoke, remove, queryKeys, texts }: RevocationOptions) {
  const queryClient = useQueryClient();
  const toast = useToast();
  const showError = useErrorToast();
  return useSingleMutation<boolean, void>({
    async mutationFn() {
      try {
        await revoke();
        return true;
      } catch (error) {
        if (httpErrorOf(error)?.status === 404) return false;
        throw error;
      }
    },
    onSuccess(wasRevoked) {
      remove();
      if (wasRevoked) toast({ title: "Success", description: texts.revoked });
      else toast({ description: texts.revokedBefore });
    },
    onError: () => showError("No success message arrived. Please check the list and try again."),
    onSettled() {
      for (const queryKey of queryKeys) void queryClient.invalidateQueries({ queryKey });
    },
  });
}
