import { useQuery } from "@tanstack/react-query";
import { LinkFilter, LinkOrder } from "@tapthru/proto/links";
import { Select } from "../../../components/ui/select.tsx";
import { LabelFilter } from "../labels/label-filter.tsx";
import { linkStoresOptions } from "./list-links.ts";
import type { ListView } from "./use-list-view.ts";

const LINK_ORDERS = {
  newest: "Newest first",
  name: "By name",
  clicks: "Most taps",
} as const;
const LINK_FILTERS = { "no-tag": "No tag", "needs-attention": "Needs attention" } as const;

interface ViewControlsProps {
  view: ListView;
  onChange: (changes: Partial<ListView>) => void;
}

/** The order and the filters of the list. */
export function ViewControls({ view, onChange }: ViewControlsProps) {
  const { data = [] } = useQuery(linkStoresOptions);
  // The store in the URL may have no links.
  const stores = [...new Set([...data, ...(view.store ? [view.store] : [])])];
  return (
    <>
      <Select
        label="Sort"
        value={view.sort}
        options={LinkOrder.options.map((order) => [order, LINK_ORDERS[order]])}
        onSelect={(sort) => onChange({ sort })}
      />
      <Select
        label="Store"
        value={view.store ?? ""}
        options={[["", "All stores"], ...stores.map((key) => [key, `amazon.${key}`] as const)]}
        onSelect={(store) => onChange({ store: store || null })}
      />
      <Select
        label="Show"
        value={view.show ?? ""}
        options={[["", "All links"], ...LinkFilter.options.map((filter) => [filter, LINK_FILTERS[filter]] as const)]}
        onSelect={(show) => onChange({ show: show || null })}
      />
      <LabelFilter label={view.label} onSelect={(label) => onChange({ label })} />
    </>
  );
}
