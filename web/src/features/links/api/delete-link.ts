import { useQueryClient } from "@tanstack/react-query";
import type { deleteLink as DeleteLink, Link } from "@tapthru/proto/http/links";
import { messages } from "@tapthru/proto/rules/messages";
import { useErrorToast, useToast } from "../../../components/ui/toaster.tsx";
import { callApi } from "../../../lib/http/call-api.ts";
import { LINK_LISTS_KEY } from "../../../lib/link-lists.ts";
import { useSingleMutation } from "../../../lib/use-single-mutation.ts";
import { removeCachedLinks } from "../link-cache.ts";
import { isNotFound, linkOptions } from "./get-link.ts";

function deleteLink({ id }: Link) {
  const options = { params: { id: String(id) } };
  return callApi<typeof DeleteLink>("DELETE", "/api/links/:id", options);
}

export function useDeleteLink() {
  const queryClient = useQueryClient();
  const toast = useToast();
  const showError = useErrorToast();

  return useSingleMutation({
    mutationFn: deleteLink,
    onSuccess(_reply, link) {
      removeCachedLinks(queryClient, [link]);
      toast({ title: messages.linkDeleted, description: messages.linkDeletedText });
    },
    onError(error, { shortCode }) {
      showError(isNotFound(error) ? messages.linkWasDeleted : messages.failedToDeleteLink);
      // It may already be deleted.
      queryClient.invalidateQueries({ queryKey: linkOptions(shortCode).queryKey });
      queryClient.invalidateQueries({ queryKey: LINK_LISTS_KEY });
    },
  });
}
