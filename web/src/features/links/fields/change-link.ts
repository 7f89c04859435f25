import { useQueryClient } from "@tanstack/react-query";
import type { Link, updateLink as UpdateLink } from "@tapthru/proto/links";
import type * as z from "zod/mini";
import { useErrorToast } from "../../../components/ui/toaster.tsx";
import { callApi } from "../../../lib/http/call-api.ts";
import { refusalOf } from "../../../lib/http/http-client.ts";
import { LINK_LISTS_KEY, refreshAfter } from "../../../lib/link-lists.ts";
import { useSingleMutation } from "../../../lib/use-single-mutation.ts";
import { isNotFound, linkOptions, updateCachedLink } from "../get-link.ts";

type Changes = Omit<z.output<(typeof UpdateLink)["body"]>, "labels" | "userId">;
export type LinkChange = {
  [Name in keyof Changes]-?: Record<Name, Exclude<Changes[Name], undefined>>;
}[keyof Changes];

interface Options {
  link: Link;
  /** The toast after a failure that the user cannot correct. */
  failure: string;
  /** Called with the changed link, whose short code may be new. */
  onChanged: ((link: Link) => void) | undefined;
}

/** Changes a field of a link. A nickname or title is shown at once, and rolled back if the server refuses. */
export function useChangeLink({ link: { shortCode }, failure, onChanged }: Options) {
  const queryClient = useQueryClient();
  const showError = useErrorToast();
  const { queryKey } = linkOptions(shortCode);

  const mutation = useSingleMutation({
    mutationFn: (change: LinkChange) =>
      callApi("PATCH /api/links/:shortCode", {
        params: { shortCode },
        body: change,
      }),
    async onMutate(change) {
      if (!("nickname" in change || "title" in change)) return undefined;
      await Promise.all([
        queryClient.cancelQueries({ queryKey }),
        queryClient.cancelQueries({ queryKey: LINK_LISTS_KEY }),
      ]);
      const { nickname = null, title = null } = queryClient.getQueryData(queryKey) ?? {};
      updateCachedLink(queryClient, shortCode, change);
      return "title" in change ? { title } : { nickname };
    },
    onSuccess(changed) {
      queryClient.setQueryData(linkOptions(changed.shortCode).queryKey, changed);
      updateCachedLink(queryClient, shortCode, changed);
      onChanged?.(changed);
    },
    onError(error, _change, before) {
      if (before) updateCachedLink(queryClient, shortCode, before);
      if (isNotFound(error)) showError("This link was deleted.");
      else if (refusalOf(error) === null) showError(failure);
    },
    onSettled: () => void refreshAfter(queryClient, "PATCH /api/links/:shortCode"),
  });
  return { ...mutation, refusal: mutation.error && refusalText(mutation.error) };
}

/** Why the server refused a change of a link. Null if it failed, or the link was deleted: a toast says so. */
export const refusalText = (error: Error) => (isNotFound(error) ? null : (refusalOf(error)?.text ?? null));
