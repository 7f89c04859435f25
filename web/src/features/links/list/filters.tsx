import { useQuery } from "@tanstack/react-query";
import { SITE_DOMAIN } from "@tapthru/proto/link-lists";
import { Tags, X } from "lucide-react";
import { useState } from "react";
import { IconButton } from "../../../components/ui/button.tsx";
import { Field } from "../../../components/ui/field.tsx";
import { Select } from "../../../components/ui/select.tsx";
import { May } from "../../../kit/may.tsx";
import { useConfig } from "../../../lib/config.ts";
import { formatDay } from "../../../lib/dates.ts";
import { useHost } from "../../../lib/use-host.ts";
import { channelsOptions } from "../../channels/index.ts";
import { domainsOptions } from "../../domains/index.ts";
import { labelsOptions } from "../labels/api.ts";
import { ManageDialog } from "../labels/manage-dialog.tsx";
import { linkStoresOptions } from "./list-links.ts";
import type { ListFilters, ListView } from "./use-list-view.ts";

const ORDERS = [
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

const named = (items: readonly { id: number; name: string }[] = []) =>
  items.map(({ id, name }) => [String(id), name] as const);

function useFilters(view: ListView): readonly Filter[] {
  const { data: stores = [] } = useQuery(linkStoresOptions);
  const { data: labels } = useQuery(labelsOptions);
  const { data: channels } = useQuery({ ...channelsOptions, retryOnMount: false });
  // A domain that is off has links too.
  const { data: domains } = useQuery({ ...domainsOptions, enabled: useConfig().hasDomains });
  const allDomains = [[SITE_DOMAIN, useHost()], ...(domains ?? []).map(({ host }) => [host, host] as const)] as const;
  // That in the URL may have no links.
  const allStores = [...new Set([...stores, ...(view.store ? [view.store] : [])])];
  const filters: (Filter & { data?: unknown })[] = [
    { key: "channel", name: "Channel", options: named(channels), data: channels },
    { key: "domain", name: "Domain", options: allDomains, data: domains },
    { key: "label", name: "Label", options: named(labels), data: labels },
    { key: "store", name: "Store", options: allStores.map((store) => [store, `amazon.${store}`]) },
    { key: "show", name: "State", options: SHOWN },
    { key: "expiry", name: "Expiry", options: EXPIRIES },
    { key: "from", name: "Created from" },
    { key: "to", name: "Created until" },
  ];
  return filters.flatMap(({ options, data, ...filter }) => {
    if (options === undefined) return [filter];
    const { key, name } = filter;
    const value = view[key];
    // All links are on the only channel or domain.
    if (value === null && options.length <= (key === "channel" || key === "domain" ? 1 : 0)) return [];
    if (value === null || options.some(([option]) => option === value)) return [{ ...filter, options }];
    const missing = data === undefined ? "..." : `Deleted ${name.toLowerCase()}`;
    return [{ ...filter, options: [...options, [value, missing] as const] }];
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

const ALL: Partial<Record<keyof ListFilters, string>> = { show: "All links", expiry: "Any expiry" };

interface FiltersProps {
  view: ListView;
  onChange: (changes: Partial<ListView>) => void;
}

export function FilterFields({ view, onChange }: FiltersProps) {
  const filters = useFilters(view);
  const [isManaging, setManaging] = useState(false);
  return (
    <div className="grid grid-cols-1 items-end gap-2 @xl:grid-cols-2 @4xl:grid-cols-4">
      <Select label="Sort" value={view.sort} options={ORDERS} onSelect={(sort) => onChange({ sort })} />
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
              <May call="PATCH /api/labels/:id">
                <IconButton
                  icon={Tags}
                  label="Manage labels"
                  aria-haspopup="dialog"
                  onClick={() => setManaging(true)}
                />
              </May>
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

export function FilterChips({ view, onChange }: FiltersProps) {
  const chips = useFilters(view).flatMap(({ key, name, options }) => {
    const value = view[key];
    if (value === null) return [];
    const [, chosen] = options?.find(([option]) => option === value) ?? [];
    return [{ key, text: options ? `${name}: ${chosen}` : `${name} ${formatDay(`${value}T12:00`)}` }];
  });
  if (chips.length === 0) return null;
  return (
    <fieldset className="flex min-w-0 flex-wrap gap-2">
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
