import { marketplace } from "@tapthru/proto/fields";
import { LinkExpiry, LinkFilter, LinkOrder } from "@tapthru/proto/link-lists";
import { DOMAIN_MAX_LENGTH } from "@tapthru/proto/rules/limits";
import { useSearchParams } from "react-router-dom";
import * as z from "zod/mini";
import { normalizeSearch } from "../../../components/ui/search-field.tsx";

const id = z.string().check(z.regex(/^\d{1,9}$/));

/** Null for no filter. */
const ListFilters = z.object({
  channel: z.catch(z.nullable(id), null),
  domain: z.catch(z.nullable(z.string().check(z.maxLength(DOMAIN_MAX_LENGTH))), null),
  label: z.catch(z.nullable(id), null),
  store: z.catch(z.nullable(marketplace), null),
  show: z.catch(z.nullable(LinkFilter), null),
  expiry: z.catch(z.nullable(LinkExpiry), null),
  /** Days of creation in the browser's time zone, both included. */
  from: z.catch(z.nullable(z.iso.date()), null),
  to: z.catch(z.nullable(z.iso.date()), null),
});
export type ListFilters = z.output<typeof ListFilters>;

const ListView = z.object({
  q: z.catch(z.pipe(z.string(), z.transform(normalizeSearch)), ""),
  sort: z.catch(LinkOrder, "newest"),
  ...ListFilters.shape,
});
export type ListView = z.output<typeof ListView>;

export const NO_FILTERS: ListFilters = z.parse(ListFilters, {});

/** Keeps the view in the URL of the page, so that reloading the page and going back to it restore it. */
export function useListView() {
  const [params, setParams] = useSearchParams();
  const view = z.parse(ListView, Object.fromEntries(params));
  return {
    view,
    change(changes: Partial<ListView>) {
      const { q, sort, ...filters } = { ...view, ...changes };
      setParams(given({ q, sort: sort === "newest" ? null : sort, ...filters }), {
        replace: true,
        preventScrollReset: true,
      });
    },
  };
}

export function conditionsOf({ from, to, sort: _sort, ...others }: ListView): Record<string, string> {
  return given({
    ...others,
    createdFrom: from && new Date(`${from}T00:00`).toISOString(),
    createdBefore: to && new Date(`${to}T24:00`).toISOString(),
  });
}

function given(values: Record<string, string | null>): Record<string, string> {
  return Object.fromEntries(Object.entries(values).flatMap(([name, value]) => (value ? [[name, value]] : [])));
}
