import { useQuery } from "@tanstack/react-query";
import type { Link } from "@tapthru/proto/links";
import { useEffect, useEffectEvent, useRef, useState } from "react";
import { useErrorToast } from "../../../components/ui/toaster.tsx";
import { errorText } from "../../../lib/http/http-client.ts";
import { linkIdsOptions } from "./list-links.ts";
import { conditionsOf, type ListView } from "./use-list-view.ts";

/** A link that the list has not loaded has only its id. */
export type SelectedLink = Pick<Link, "id"> & Partial<Link>;

interface SelectableLinks {
  view: ListView;
  links: readonly Link[];
  areMore: boolean;
  deletedIds: ReadonlySet<number>;
}

/** Links of a list that the user selects. `selected` is null while they are not selecting. */
export function useSelection({ view, links, areMore, deletedIds }: SelectableLinks) {
  const [ids, setIds] = useState<ReadonlySet<number> | null>(null);
  const lastToggled = useRef<number>(null);
  /** The conditions of a view of which all links are wanted, not only those that are loaded. */
  const [wanted, setWanted] = useState<string | null>(null);
  const conditions = JSON.stringify(conditionsOf(view));
  const all = useQuery({ ...linkIdsOptions(view), enabled: ids !== null && areMore && wanted === conditions });
  const showError = useErrorToast();
  const showFailure = useEffectEvent((error: Error) =>
    showError(errorText(error, "The other links could not be selected. Please try again.")),
  );
  useEffect(() => {
    if (all.error) showFailure(all.error);
  }, [all.error]);

  /** Is null while they are unknown. */
  const allIds = areMore && wanted === conditions ? (all.data?.filter((id) => !deletedIds.has(id)) ?? null) : null;
  const loadedIds = new Set(links.map(({ id }) => id));
  const others = (allIds ?? []).filter((id) => ids?.has(id) && !loadedIds.has(id));
  // A link that left the list is not selected.
  const selected: SelectedLink[] | null = ids && [
    ...links.filter(({ id }) => ids.has(id)),
    ...others.map((id) => ({ id })),
  ];

  return {
    /** The same set in each render, which a scroll looks up: there may be a million. Some may have left the list. */
    ids,
    selected,
    /** How many links match the view. Null if all are loaded, and before it is known. */
    totalCount: allIds?.length ?? null,
    start() {
      setWanted(null);
      lastToggled.current = null;
      setIds(new Set());
    },
    stop: () => setIds(null),
    /** Selects the loaded links and looks up the others, which a second call selects. */
    selectAll() {
      setIds(new Set([...loadedIds, ...(allIds ?? [])]));
      setWanted(conditions);
      if (all.error) void all.refetch();
    },
    /** @param toRange whether to give the links from the last toggled one the same state, as with a Shift-click */
    toggle(id: number, toRange: boolean) {
      const order = links.map((link) => link.id);
      const from = toRange && lastToggled.current !== null ? order.indexOf(lastToggled.current) : -1;
      const to = order.indexOf(id);
      const range = from === -1 ? [id] : order.slice(Math.min(from, to), Math.max(from, to) + 1);
      lastToggled.current = id;
      setIds((current) => {
        const next = new Set(current);
        for (const each of range) current?.has(id) ? next.delete(each) : next.add(each);
        return next;
      });
    },
  };
}

export type Selection = ReturnType<typeof useSelection>;
