import { LINKS_BATCH_MAX_COUNT } from "@tapthru/proto/rules/limits";
import { useCall } from "../../../kit/use-call.ts";
import { changeLists, LINK_LISTS_KEY } from "../../../lib/link-lists.ts";
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
      const before = queryClient.getQueriesData({ queryKey: LINK_LISTS_KEY });
      const gone = new Set<unknown>(ids);
      changeLists(queryClient, LINK_LISTS_KEY, (links) => links.filter(({ id }) => !gone.has(id)));
      return () => {
        for (const [key, list] of before) queryClient.setQueryData(key, list);
      };
    },
  });
  return (ids: Ids) => call({ body: { ids: [...ids] } });
}
