import { useQueryClient } from "@tanstack/react-query";
import type { Link, updateLink as UpdateLink } from "@tapthru/proto/http/links";
import { messages } from "@tapthru/proto/rules/messages";
import { useErrorToast } from "../../../components/ui/toaster.tsx";
import { callApi } from "../../../lib/http/call-api.ts";
import { httpErrorOf } from "../../../lib/http/http-client.ts";
import { LINK_LISTS_KEY } from "../../../lib/link-lists.ts";
import { useSingleMutation } from "../../../lib/use-single-mutation.ts";
import { updateCachedLink } from "../link-cache.ts";
import { isNotFound, linkOptions } from "./get-link.ts";
import { linkHistoryKey } from "./get-link-history.ts";

export type LinkChange = { slug: string } | { url: string } | { expiresAt: string | null };

interface Options {
  link: Link;
  /** The toast after a failure that the user cannot correct. */
  failure: string;
  /** Called with the changed link, whose short code may be new. */
  onChanged: (link: Link) => void;
  /** Called with the message of a refusal, which belongs to the field. */
  onRefused: (message: string) => void;
}

/** Changes the short code, destination or expiry of a link. */
export function useChangeLink({ link, failure, onChanged, onRefused }: Options) {
  const queryClient = useQueryClient();
  const showError = useErrorToast();
  const { shortCode } = link;

  return useSingleMutation({
    mutationFn: (change: LinkChange) =>
      callApi<typeof UpdateLink>("PATCH", "/api/links/:shortCode", {
        params: { shortCode },
        body: change,
      }),
    onSuccess(changed) {
      queryClient.setQueryData(linkOptions(changed.shortCode).queryKey, changed);
      updateCachedLink(queryClient, shortCode, changed);
      queryClient.invalidateQueries({ queryKey: linkHistoryKey(changed.shortCode) });
      queryClient.invalidateQueries({ queryKey: LINK_LISTS_KEY });
      onChanged(changed);
    },
    onError(error) {
      const refusal = httpErrorOf(error);
      if (refusal?.status === 409 || refusal?.status === 422) onRefused(refusal.text);
      else showError(isNotFound(error) ? messages.linkWasDeleted : failure);
    },
  });
}
