import { useQuery } from "@tanstack/react-query";
import { SITE_DOMAIN } from "@tapthru/proto/link-lists";
import { Tags, X } from "lucide-react";
import { useState } from "react";
import { Field } from "../../../components/ui/field.tsx";
import { IconButton } from "../../../components/ui/icon-button.tsx";
import { Select } from "../../../components/ui/select.tsx";
import { useChannels } from "../../../lib/channels.ts";
import { formatDay } from "../../../lib/dates.ts";
import { useUsableDomains } from "../../../lib/domains.ts";
import { useHost } from "../../../lib/use-host.ts";
import { labelsOptions } from "../labels/api.ts";
import { ManageDialog } from "../labels/manage-dialog.tsx";
import { linkStoresOptions } from "./list-links.ts";
import type { ListFilters, ListView } from "./use-list-view.ts";

export const ORDERS = [
  ["newest", "Newest first"],
  ["name", "By name"],
  ["clicks", "Most taps"],
  ["last-tap", "Last tapped"],
  ["earnings", "Most earnings"],
] as const;

interface Filter {
  key: keyof ListFilters;
  name: string;
  /** Undefined: a day. */
  options?: readonly (readonly [value: string, text: string])[];
}

const named = (items: readonly { id: number; name: string }[]) =>
  items.map(({ id, name }) => [String(id), name] as const);

/** The filters that have something to choose. */
export function useFilters(view: ListView): readonly Filter[] {
  const { data: stores = [] } = useQuery(linkStoresOptions);
  const { data: labels = [] } = useQuery(labelsOptions);
  const channels = useChannels();
  const domains = useUsableDomains().map(({ host }) => [host, host] as const);
  const host = useHost();
  // That in the URL may have no links.
  const allStores = [...new Set([...stores, ...(view.store ? [view.store] : [])])];
  const filters: Filter[] = [
    { key: "channel", name: "Channel", options: channels.length > 1 ? named(channels) : [] },
    { key: "domain", name: "Domain", options: domains.length > 0 ? [[SITE_DOMAIN, host], ...domains] : [] },
    { key: "label", name: "Label", options: named(labels) },
    { key: "store", name: "Store", options: allStores.map((store) => [store, `amazon.${store}`]) },
    { key: "show", name: "State", options: SHOWN },
    { key: "expiry", name: "Expiry", options: EXPIRIES },
    { key: "from", name: "Created from" },
    { key: "to", name: "Created until" },
  ];
  return filters.flatMap(({ options, ...filter }) => {
    if (options === undefined) return [filter];
    const value = view[filter.key];
    const isKnown = value === null || options.some(([option]) => option === value);
    const all = isKnown ? options : [...options, [value, `Deleted ${filter.name.toLowerCase()}`] as const];
    return all.length === 0 ? [] : [{ ...filter, options: all }];
  });
}

const SHOWN = [
  ["no-tag", "No tag"],
  ["needs-attention", "Needs attention"],
] as const;

const EXPIRIES = [
  ["never", "Never expire"],
  ["soon", "Expire within 7 days"],
  ["expired", "Expired"],
] as const;

/** What a filter shows that is not in use. */
const ALL: Partial<Record<keyof ListFilters, string>> = { show: "All links", expiry: "Any expiry" };

interface FiltersProps {
  view: ListView;
  filters: readonly Filter[];
  onChange: (changes: Partial<ListFilters>) => void;
}

/** A field for each filter. */
export function FilterFields({ view, filters, onChange }: FiltersProps) {
  const [isManaging, setManaging] = useState(false);
  return (
    <div className="grid grid-cols-1 items-end gap-2 @xl:grid-cols-2 @4xl:grid-cols-4">
      {filters.map(({ key, name, options }) =>
        options ? (
          <div key={key} className="flex min-w-0">
            <Select
              label={`Filter by ${name.toLowerCase()}`}
              value={view[key] ?? ""}
              options={[["", ALL[key] ?? `All ${name.toLowerCase()}s`], ...options]}
              onSelect={(value) => onChange({ [key]: value || null })}
            />
            {key === "label" && (
              <IconButton icon={Tags} label="Manage labels" aria-haspopup="dialog" onClick={() => setManaging(true)} />
            )}
          </div>
        ) : (
          <Field
            key={key}
            type="date"
            label={name}
            value={view[key] ?? ""}
            onChange={({ target }) => onChange({ [key]: target.value || null })}
          />
        ),
      )}
      {isManaging && <ManageDialog onClose={() => setManaging(false)} />}
    </div>
  );
}

/** The filters that are in use, each of which a click removes. */
export function FilterChips({ view, filters, onChange }: FiltersProps) {
  const chips = filters.flatMap(({ key, name, options }) => {
    const value = view[key];
    if (value === null) return [];
    const [, chosen] = options?.find(([option]) => option === value) ?? [];
    return [{ key, text: options ? `${name}: ${chosen}` : `${name} ${formatDay(`${value}T12:00`)}` }];
  });
  if (chips.length === 0) return null;
  return (
    <fieldset className="mt-2 flex min-w-0 flex-wrap gap-2">
      <legend className="sr-only">Filters in use</legend>
      {chips.map(({ key, text }) => (
        <button
          key={key}
          type="button"
          aria-label={`Remove filter ${text}`}
          onClick={() => onChange({ [key]: null })}
          className="flex min-h-11 items-center gap-1.5 rounded-full border border-line-strong bg-surface px-3 text-sm hover:border-accent"
        >
          <bdi className="min-w-0 wrap-anywhere">{text}</bdi>
          <X aria-hidden className="size-4 shrink-0 text-muted" />
        </button>
      ))}
    </fieldset>
  );
}
