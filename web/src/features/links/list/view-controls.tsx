import { useQuery } from "@tanstack/react-query";
import { LinkFilter, LinkOrder } from "@tapthru/proto/http/links";
import { messages } from "@tapthru/proto/rules/messages";
import { Select } from "../../../components/ui/select.tsx";
import { LabelFilter } from "../labels/label-filter.tsx";
import { linkStoresOptions } from "./list-links.ts";
import type { ListView } from "./use-list-view.ts";

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
        label={messages.sortLinks}
        value={view.sort}
        options={LinkOrder.options.map((order) => [order, messages.linkOrders[order]])}
        onSelect={(sort) => onChange({ sort })}
      />
      <Select
        label={messages.filterByStore}
        value={view.store ?? ""}
        options={[
          ["", messages.allStores],
          ...stores.map((key) => [key, `amazon.${key}`] as const),
        ]}
        onSelect={(store) => onChange({ store: store || null })}
      />
      <Select
        label={messages.filterLinks}
        value={view.show ?? ""}
        options={[
          ["", messages.allLinks],
          ...LinkFilter.options.map((filter) => [filter, messages.linkFilters[filter]] as const),
        ]}
        onSelect={(show) => onChange({ show: show || null })}
      />
      <LabelFilter label={view.label} onSelect={(label) => onChange({ label })} />
    </>
  );
}
