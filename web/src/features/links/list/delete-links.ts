import { skipToken, useMutationState, useQuery, useQueryClient } from "@tanstack/react-query";
import { LINKS_BATCH_MAX_COUNT } from "@tapthru/proto/rules/limits";
import { useCallback, useLayoutEffect, useRef } from "react";
import { useCall } from "../../../kit/use-call.ts";
import { callApi, type InputOf } from "../../../lib/http/call-api.ts";
import { errorText, SaidError } from "../../../lib/http/http-client.ts";
import { sendInParts } from "../../../lib/http/send-in-parts.ts";
import { changeLists, LINK_LISTS_KEY } from "../../../lib/link-lists.ts";
import { formatCount, formatNumber } from "../../../lib/locale-formats.ts";

type Ids = readonly number[];

const DELETION = "DELETE /api/links/bulk";
const RESTORATION = "POST /api/links/bulk/restore";
const DELETED = ["deleted links"];
const NONE: Ids = [];

/** The ids of deleted links that can be restored, also after the page was left. */
function useDeletedLinks() {
  const queryClient = useQueryClient();
  const { data: deleted = NONE } = useQuery<Ids>({
    queryKey: DELETED,
    queryFn: skipToken,
    gcTime: Number.POSITIVE_INFINITY,
  });
  const change = (next: (before: Ids) => Ids) => queryClient.setQueryData<Ids>(DELETED, (now = NONE) => next(now));
  return { deleted, change };
}

export function useDeletion() {
  const queryClient = useQueryClient();
  const { deleted, change } = useDeletedLinks();

  const deletion = useCall(DELETION, {
    isQueued: true,
    async send({ body: { ids } }) {
      const { rest, replies, error } = await sendInParts(ids, LINKS_BATCH_MAX_COUNT, (part) =>
        callApi(DELETION, { body: { ids: part }, keepalive: true }),
      );
      const done = ids.slice(0, ids.length - rest.length);
      const links = ids.length === 1 ? "link" : "links";
      if (done.length === 0)
        throw new SaidError(errorText(error, `Failed to delete the ${links}. Please try again.`), { cause: error });
      change((before) => [...before, ...done]);
      const gone = new Set<unknown>(done);
      changeLists(queryClient, LINK_LISTS_KEY, (loaded) => loaded.filter(({ id }) => !gone.has(id)));
      if (rest.length === 0) return replies.flat();
      throw new SaidError(`${formatNumber(done.length)} of ${formatCount(ids.length, "link")} were deleted.`, {
        cause: error,
      });
    },
  });

  const restoration = useCall(RESTORATION, {
    async send({ body: { ids } }) {
      const { rest, replies } = await sendInParts(ids, LINKS_BATCH_MAX_COUNT, (part) =>
        callApi(RESTORATION, { body: { ids: part }, keepalive: true }),
      );
      // Other links may have been deleted meanwhile.
      const restored = new Set(ids.slice(0, ids.length - rest.length));
      change((before) => before.filter((id) => !restored.has(id)));
      const results = replies.flatMap((reply) => reply.results);
      const failed = rest.length + results.filter(({ error }) => error !== null).length;
      if (failed > 0) throw new SaidError(`${formatCount(failed, "link")} could not be restored.`);
      return { results };
    },
  });

  const pending = useMutationState({
    filters: { mutationKey: [DELETION], status: "pending" },
    select: ({ state }) => (state.variables as InputOf<typeof DELETION>).body.ids,
  });
  const latest = useRef(deletion.call);
  useLayoutEffect(() => {
    latest.current = deletion.call;
  });
  return {
    deleted,
    /** The ids of those that are being deleted, which the list does not show. */
    hidden: pending.flat(),
    /** The same function in each render. */
    start: useCallback(
      (links: readonly { id: number }[]) => latest.current({ body: { ids: links.map(({ id }) => id) } }),
      [],
    ),
    undo: () => restoration.call({ body: { ids: [...deleted] } }),
    close: () => change(() => NONE),
  };
}

/** The list offers an undo of a deletion elsewhere too. */
export function useDeletedElsewhere(): (id: number) => void {
  const { change } = useDeletedLinks();
  return (id) => change((before) => [...before, id]);
}
