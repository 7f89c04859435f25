import { LINKS_BATCH_MAX_COUNT } from "@tapthru/proto/rules/limits";
import { useCall } from "../../../kit/use-call.ts";
import type { ReplyTo } from "../../../lib/http/call-api.ts";
import { changeLists, LINK_COUNT_KEY, LINK_LISTS_KEY } from "../../../lib/link-lists.ts";
import { formatCount } from "../../../lib/locale-formats.ts";
import { inParts } from "./bulk-call.tsx";

const DELETION = "DELETE /api/links/bulk";
const RESTORATION = "POST /api/links/bulk/restore";

type Ids = readonly number[];

/** @returns brings deleted links back, also after the page was left */
export function useRestoration() {
  const { call } = useCall(
    RESTORATION,
    inParts(RESTORATION, LINKS_BATCH_MAX_COUNT, {
      failed: "The links could not be restored. Please try again.",
      refused: (count) => `${formatCount(count, "link")} could not be restored.`,
    }),
  );
  return (ids: Ids) => call({ body: { ids: [...ids] } });
}

/** @returns deletes links, which disappear at once, with 'Undo' in the toast */
export function useDeletion() {
  const restore = useRestoration();
  const { call } = useCall(DELETION, {
    ...inParts(DELETION, LINKS_BATCH_MAX_COUNT, { failed: "The links could not be deleted. Please try again." }),
    done: (_, { body: { ids } }) => `${formatCount(ids.length, "link")} deleted`,
    undo:
      (_, { body: { ids } }) =>
      () =>
        restore(ids),
    isQueued: true,
    async ahead(queryClient, { body: { ids } }) {
      await queryClient.cancelQueries({ queryKey: LINK_LISTS_KEY });
      const before = [LINK_LISTS_KEY, LINK_COUNT_KEY].flatMap((queryKey) => queryClient.getQueriesData({ queryKey }));
      const gone = new Set<unknown>(ids);
      changeLists(queryClient, LINK_LISTS_KEY, (links) => links.filter(({ id }) => !gone.has(id)));
      queryClient.setQueriesData<ReplyTo<"GET /api/link-count">>(
        { queryKey: LINK_COUNT_KEY },
        (total) => total && { ...total, count: total.count - (total.areMore ? 0 : ids.length) },
      );
      return () => {
        for (const [key, list] of before) queryClient.setQueryData(key, list);
      };
    },
  });
  return (ids: Ids) => call({ body: { ids: [...ids] } });
}
