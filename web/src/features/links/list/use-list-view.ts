import { marketplace, tag } from "@tapthru/proto/fields";
import { LinkExpiry, LinkFilter, LinkOrder } from "@tapthru/proto/link-lists";
import { DOMAIN_MAX_LENGTH } from "@tapthru/proto/rules/limits";
import * as z from "zod/mini";
import { normalizeSearch } from "../../../components/ui/search-field.tsx";
import { useUrlState } from "../../../lib/use-url-state.ts";

const id = z.string().check(z.regex(/^\d{1,9}$/));

/** A filter that is null is not used. */
const ListFilters = z.object({
  channel: z.catch(z.nullable(id), null),
  domain: z.catch(z.nullable(z.string().check(z.maxLength(DOMAIN_MAX_LENGTH))), null),
  label: z.catch(z.nullable(id), null),
  tag: z.catch(z.nullable(tag), null),
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

export const useListView = () => useUrlState(ListView);

/** In place of a tag. */
export const NO_TAG = "no-tag";

export function conditionsOf({ from, to, tag, show, sort: _sort, ...others }: ListView): Record<string, string> {
  const values = {
    ...others,
    ...(tag === NO_TAG ? { show: NO_TAG } : { tag, show }),
    createdFrom: from && new Date(`${from}T00:00`).toISOString(),
    createdBefore: to && new Date(`${to}T24:00`).toISOString(),
  };
  return Object.fromEntries(Object.entries(values).flatMap(([name, value]) => (value ? [[name, value]] : [])));
}
