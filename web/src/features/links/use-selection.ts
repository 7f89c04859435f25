import type { Link } from "@tapthru/proto/http/links";
import { useRef, useState } from "react";

/** Links of a list that the user selects. `selected` is null while they are not selecting. */
export function useSelection(links: readonly Link[]) {
  const [ids, setIds] = useState<ReadonlySet<number> | null>(null);
  const lastToggled = useRef<number>(null);

  return {
    // A link that left the list is not selected.
    selected: ids && links.filter(({ id }) => ids.has(id)),
    start: () => setIds(new Set()),
    stop: () => setIds(null),
    selectAll: () => setIds(new Set(links.map(({ id }) => id))),
    /** @param toRange whether to give the links from the last toggled one the same state, as with a Shift-click */
    toggle(id: number, toRange: boolean) {
      const order = links.map((link) => link.id);
      const from =
        toRange && lastToggled.current !== null ? order.indexOf(lastToggled.current) : -1;
      const to = order.indexOf(id);
      const range = from === -1 ? [id] : order.slice(Math.min(from, to), Math.max(from, to) + 1);
      lastToggled.current = id;
      setIds((current) => {
        const isSelected = current?.has(id) ?? false;
        const others = [...(current ?? [])].filter((other) => !range.includes(other));
        return new Set(isSelected ? others : [...others, ...range]);
      });
    },
  };
}

export type Selection = ReturnType<typeof useSelection>;
