import type { Link } from "@tapthru/proto/links";
import { useCallback, useEffect, useState } from "react";
import { useErrorToast } from "../../../components/ui/toaster.tsx";
import { useSingleMutation } from "../../../kit/use-single-mutation.ts";
import { errorText } from "../../../lib/http/http-client.ts";
import { listLinkIds } from "../../../lib/link-ids.ts";
import { conditionsOf, type ListView } from "./use-list-view.ts";

/** A link that the list has not loaded has only its id. */
export type SelectedLink = Pick<Link, "id"> & Partial<Link>;

interface Chosen {
  ids: ReadonlySet<number>;
  /** All links that match the view. */
  isAll: boolean;
}

const NONE: Chosen = { ids: new Set(), isAll: false };

/** Links of a list that the user selects. `selected` is null while they are not selecting. */
export function useSelection(view: ListView, links: readonly Link[], areMore: boolean) {
  const [chosen, setChosen] = useState<Chosen | null>(null);
  const showError = useErrorToast();
  const key = JSON.stringify(conditionsOf(view));
  const lookUp = useSingleMutation<number[], string>({
    mutationFn: (wanted) => listLinkIds(JSON.parse(wanted)),
    onSuccess: (ids, wanted) => wanted === key && select(ids),
    onError: (error) => showError(errorText(error, "The links could not be selected. Please try again.")),
  });

  // Another search or filter has other links.
  useEffect(() => setChosen((current) => current && NONE), [key]);

  const select = (ids: readonly number[]) => setChosen((current) => current && { ids: new Set(ids), isAll: true });
  const loaded = new Map(links.map((link) => [link.id, link]));
  /** One that has left a list that is loaded whole is not selected. */
  const linkOf = (id: number): SelectedLink[] => (loaded.has(id) || areMore ? [loaded.get(id) ?? { id }] : []);

  return {
    ids: chosen?.ids,
    selected: chosen && [...chosen.ids].flatMap(linkOf),
    isAll: chosen?.isAll === true,
    isLookingUp: lookUp.isPending,
    start: () => setChosen(NONE),
    stop: () => setChosen(null),
    selectAll: () => (areMore ? lookUp.mutate(key) : select([...loaded.keys()])),
    /** The same function in each render, so that cards are not rendered again. */
    toggle: useCallback((id: number) => {
      setChosen((current) => {
        const ids = new Set(current?.ids);
        if (!ids.delete(id)) ids.add(id);
        return { ids, isAll: false };
      });
    }, []),
  };
}

export type Selection = ReturnType<typeof useSelection>;
