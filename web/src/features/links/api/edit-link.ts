import { useQueryClient } from "@tanstack/react-query";
import type { updateLink as UpdateLink } from "@tapthru/proto/http/links";
import { messages } from "@tapthru/proto/rules/messages";
import { useErrorToast } from "../../../components/ui/toaster.tsx";
import { callApi } from "../../../lib/http/call-api.ts";
import { LINK_LISTS_KEY } from "../../../lib/link-lists.ts";
import { useSingleMutation } from "../../../lib/use-single-mutation.ts";
import { updateCachedLink } from "../link-cache.ts";
import { isNotFound, linkOptions } from "./get-link.ts";

export type EditableField = "nickname" | "title";

const FAILURES: Record<EditableField, string> = {
  nickname: messages.failedToUpdateNickname,
  title: messages.failedToUpdateTitle,
};

function editLink(shortCode: string, change: { [field in EditableField]?: string }) {
  const options = { params: { shortCode }, body: change };
  return callApi<typeof UpdateLink>("PATCH", "/api/links/:shortCode", options);
}

/** Optimistically updates a link's nickname or title, and rolls back if the server refuses. */
export function useEditLink(shortCode: string, field: EditableField) {
  const queryClient = useQueryClient();
  const showError = useErrorToast();
  const { queryKey } = linkOptions(shortCode);

  return useSingleMutation({
    mutationFn: (text: string) => editLink(shortCode, { [field]: text }),
    async onMutate(text) {
      await Promise.all([
        queryClient.cancelQueries({ queryKey }),
        queryClient.cancelQueries({ queryKey: LINK_LISTS_KEY }),
      ]);
      const before = queryClient.getQueryData(queryKey)?.[field] ?? null;
      updateCachedLink(queryClient, shortCode, { [field]: text });
      return { before };
    },
    onSuccess(link) {
      updateCachedLink(queryClient, shortCode, link);
    },
    onError(error, _text, rollback) {
      if (rollback) updateCachedLink(queryClient, shortCode, { [field]: rollback.before });
      showError(isNotFound(error) ? messages.linkWasDeleted : FAILURES[field]);
    },
    onSettled() {
      queryClient.invalidateQueries({ queryKey });
      queryClient.invalidateQueries({ queryKey: LINK_LISTS_KEY });
    },
  });
}
