import { useMutation } from "@tanstack/react-query";
import type { listLinkIds as ListLinkIds } from "@tapthru/proto/http/links";
import { LINKS_IDS_MAX_COUNT } from "@tapthru/proto/rules/limits";
import { messages } from "@tapthru/proto/rules/messages";
import { useErrorToast } from "../../../components/ui/toaster.tsx";
import { callApi } from "../../../lib/http/call-api.ts";
import { type ListView, viewParameters } from "../use-list-view.ts";

/** The ids of all links that match the view, newest first. */
async function listLinkIds(view: ListView): Promise<number[]> {
  const { sort: _sort, ...conditions } = viewParameters(view);
  const ids: number[] = [];
  for (;;) {
    const query = { ...conditions, ...(ids.length > 0 && { before: String(ids.at(-1)) }) };
    const page = await callApi<typeof ListLinkIds>("GET", "/api/link-ids", { query });
    ids.push(...page);
    if (page.length < LINKS_IDS_MAX_COUNT) return ids;
  }
}

export function useLinkIds() {
  const showError = useErrorToast();
  return useMutation({
    mutationFn: listLinkIds,
    onError: () => showError(messages.failedToSelectAll),
  });
}
