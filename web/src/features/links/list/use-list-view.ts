import { marketplace } from "@tapthru/proto/fields";
import { LinkFilter, LinkOrder } from "@tapthru/proto/links";
import { useSearchParams } from "react-router-dom";
import * as z from "zod/mini";
import { normalizeSearch } from "../../../components/ui/search-field.tsx";

const ListView = z.object({
  q: z.catch(z.pipe(z.string(), z.transform(normalizeSearch)), ""),
  sort: z.catch(LinkOrder, "newest"),
  store: z.catch(z.nullable(marketplace), null),
  show: z.catch(z.nullable(LinkFilter), null),
  /** The id of a label. */
  label: z.catch(z.nullable(z.string().check(z.regex(/^\d{1,9}$/))), null),
});

/** What the list shows, and in which order; null for no filter. */
export type ListView = z.output<typeof ListView>;

/** Keeps the view in the URL of the page, so that reloading the page and going back to it restore it. */
export function useListView() {
  const [params, setParams] = useSearchParams();
  const view = z.parse(ListView, Object.fromEntries(params));
  return {
    view,
    change: (changes: Partial<ListView>) =>
      setParams(viewParameters({ ...view, ...changes }), { replace: true, preventScrollReset: true }),
  };
}

/** Parameters of the api, and of the page's URL, without defaults. */
export function viewParameters({ q, sort, store, show, label }: ListView): Record<string, string> {
  return {
    ...(q && { q }),
    ...(sort !== "newest" && { sort }),
    ...(store && { store }),
    ...(show && { show }),
    ...(label && { label }),
  };
}
