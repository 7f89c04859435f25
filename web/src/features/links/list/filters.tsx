import { useQuery } from "@tanstack/react-query";
import { SITE_DOMAIN } from "@tapthru/proto/link-lists";
import { useState } from "react";
import { Button, type ButtonProps, buttonClass } from "../../../components/ui/button.tsx";
import { DayField } from "../../../components/ui/field.tsx";
import { Options, type OptionTexts, SelectField } from "../../../components/ui/select-field.tsx";
import { Can } from "../../../kit/can.tsx";
import { useConfig } from "../../../lib/config.ts";
import { useHost } from "../../../lib/use-host.ts";
import { channelsOptions } from "../../channels/index.ts";
import { domainsOptions } from "../../domains/index.ts";
import { labelsOptions, ManageDialog } from "../labels.tsx";
import { linkStoresOptions } from "./list-links.ts";
import { type ListFilters, type ListView, NO_TAG } from "./use-list-view.ts";

const ORDERS = [
  ["newest", "Newest first"],
  ["name", "By name"],
  ["clicks", "Most taps"],
  ["last-tap", "Last tapped"],
  ["earnings", "Most earnings"],
] as const;

interface Filter {
  name: string;
  value: string | null;
  /** The first one ends it. */
  options: OptionTexts;
  onSelect: (value: string) => void;
}

interface FiltersProps {
  view: ListView;
  onChange: (changes: Partial<ListView>) => void;
}

const named = (items: readonly { id: number; name: string }[] = []): OptionTexts =>
  items.map(({ id, name }) => [String(id), name]);

/** A text of the URL is one of them: nothing else may have it. */
const listed = (texts: readonly string[], chosen: string | null, nameOf: (text: string) => string): OptionTexts =>
  [...new Set([...texts, ...(chosen === null ? [] : [chosen])])].map((text) => [text, nameOf(text)]);

const tagText = (tag: string) => (tag === NO_TAG ? "No tag" : tag);
const storeText = (store: string) => `amazon.${store}`;

function useFilters({ view, onChange }: FiltersProps): { chips: Filter[]; others: Filter[] } {
  const { data: stores = [] } = useQuery(linkStoresOptions);
  const { data: labels } = useQuery(labelsOptions);
  const { data: channels } = useQuery({ ...channelsOptions, retryOnMount: false });
  // A domain that is off has links too.
  const { data: domains } = useQuery({ ...domainsOptions, enabled: useConfig().hasDomains });
  const hosts = (domains ?? []).map(({ host }) => [host, host] as const);
  const tags = (channels ?? []).flatMap((channel) => channel.tags.map(({ tag }) => tag));

  /** @param least fewer options are no choice */
  function filterBy(key: keyof ListFilters, name: string, options: OptionTexts, least = 1): Filter[] {
    const value = view[key];
    // That of the URL may have been deleted.
    const isListed = value === null || options.some(([option]) => option === value);
    if (value === null && options.length < least) return [];
    const all = ALL[key] ?? `${name}s`;
    return [
      {
        name,
        value,
        options: [["", all], ...options, ...(isListed ? [] : [[value, "..."] as const])],
        onSelect: (chosen) => onChange({ [key]: chosen || null }),
      },
    ];
  }

  return {
    chips: [
      filterBy("channel", "Channel", named(channels), 2),
      filterBy("tag", "Tag", listed([NO_TAG, ...tags], view.tag, tagText)),
      filterBy("store", "Store", listed(stores, view.store, storeText)),
      filterBy("label", "Label", named(labels)),
    ].flat(),
    others: [
      filterBy("domain", "Domain", [[SITE_DOMAIN, useHost()], ...hosts], 2),
      filterBy("show", "State", STATES),
      filterBy("expiry", "Expiry", EXPIRIES),
    ].flat(),
  };
}

const STATES = [
  ["needs-attention", "Needs attention"],
  [NO_TAG, "No tag"],
] as const;

const EXPIRIES = [
  ["never", "Never expire"],
  ["soon", "Expire within 7 days"],
  ["expired", "Expired"],
] as const;

const ALL: Partial<Record<keyof ListFilters, string>> = { show: "All links", expiry: "Any expiry" };

const DAYS = [
  ["from", "Created from"],
  ["to", "Created until"],
] as const;

/** @param more of the button that opens the other filters */
export function FilterChips({ more, ...props }: FiltersProps & { more: ButtonProps }) {
  const { view, onChange } = props;
  const { chips, others } = useFilters(props);
  const values = [...others.map(({ value }) => value), view.from, view.to];
  const used = values.filter((value) => value !== null).length;
  return (
    <fieldset className="flex shrink-0 gap-2">
      <legend className="sr-only">Filters and order</legend>
      {chips.map((filter) => (
        <Chip
          key={filter.name}
          label={`Filter by ${filter.name.toLowerCase()}`}
          isUsed={filter.value !== null}
          {...filter}
        />
      ))}
      <Button variant={used > 0 ? "outline" : "quiet"} shape="chip" {...more}>
        {used > 0 ? `More: ${used}` : "More"}
      </Button>
      <Chip
        label="Sort"
        isUsed={false}
        value={view.sort}
        options={ORDERS}
        onSelect={(sort) => onChange({ sort: sort as ListView["sort"] })}
      />
    </fieldset>
  );
}

interface ChipProps extends Omit<Filter, "name"> {
  label: string;
  isUsed: boolean;
}

/** As wide as the chosen option, in browsers that can do so. */
function Chip({ label, isUsed, value, options, onSelect }: ChipProps) {
  return (
    <select
      aria-label={label}
      value={value ?? ""}
      onChange={({ target }) => onSelect(target.value)}
      className={`${buttonClass(isUsed ? "outline" : "quiet", "chip")} field-sizing-content max-w-48`}
    >
      <Options of={options} />
    </select>
  );
}

export function MoreFilters(props: FiltersProps) {
  const { view, onChange } = props;
  const { others } = useFilters(props);
  const [isManaging, setManaging] = useState(false);
  return (
    <div className="grid grid-cols-1 items-end gap-3 @xl:grid-cols-2 @4xl:grid-cols-3">
      {others.map(({ name, value, options, onSelect }) => (
        <SelectField key={name} label={name} options={options} value={value ?? ""} onChange={onSelect} />
      ))}
      {DAYS.map(([key, name]) => (
        <DayField key={key} label={name} value={view[key]} onDay={(day) => onChange({ [key]: day })} />
      ))}
      <Can call="PATCH /api/labels/:id">
        <Button variant="quiet" aria-haspopup="dialog" onClick={() => setManaging(true)}>
          Manage labels
        </Button>
      </Can>
      {isManaging && <ManageDialog onClose={() => setManaging(false)} />}
    </div>
  );
}
