import type { Link } from "@tapthru/proto/links";
import { useRef, useState } from "react";
import { useLinkIds } from "./list-links.ts";
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
  const all = useLinkIds();

  const isOfView = all.data && key(all.variables) === key(view);
  /** Null while they are unknown. */
  const allIds = areMore && isOfView ? all.data.filter((id) => !deletedIds.has(id)) : null;
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
      all.reset();
      lastToggled.current = null;
      setIds(new Set());
    },
    /** Links may have left the list. */
    refresh: () => all.data && all.mutate(view),
    stop: () => setIds(null),
    /** Selects the loaded links and looks up the others, which a second call selects. */
    selectAll() {
      setIds(new Set([...loadedIds, ...(allIds ?? [])]));
      if (areMore && !allIds && !all.isPending) all.mutate(view);
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

const key = (view: ListView | undefined) => view && JSON.stringify(conditionsOf(view));
