import type { EarningsGroup, EarningsRow } from "@tapthru/proto/earnings";
import { isMarketplace } from "@tapthru/proto/rules/amazon/marketplaces";
import type { ReactNode } from "react";
import { ScrollArea } from "../../components/ui/scroll-area.tsx";
import { formatUtcDay } from "../../lib/dates.ts";
import { formatNumber } from "../../lib/locale-formats.ts";
import { CLICK_CLASS_NAMES } from "../../lib/names.ts";
import { storeName } from "../../lib/store-name.ts";
import { Amount, Conversion, Items, People, PerClick } from "./figures.tsx";
import { EARNINGS_MATCH_NAMES } from "./matches.tsx";

export const EARNINGS_GROUP_NAMES = {
  link: "Link",
  label: "Label",
  channel: "Channel",
  store: "Store",
  product: "Product",
  day: "Day",
} as const;

const NONE_OF_GROUP = {
  link: "No link or channel",
  label: "Without a label",
  channel: "Without a channel",
  store: "Unknown store",
  product: "Without a product",
  day: "Without a day",
} as const;

/** Shows a link by its short code, and by its name where it is known already. */
export type RenderLink = (shortCode: string, name: string | null) => ReactNode;

interface EarningsRowsProps {
  rows: readonly EarningsRow[];
  by: EarningsGroup;
  caption: string;
  renderLink: RenderLink;
}

const COLUMNS = ["Earnings", "Per tap", CLICK_CLASS_NAMES.person, "Ordered", "Ordered per tap", "Returned"];

export function EarningsRows({ rows, by, caption, renderLink }: EarningsRowsProps) {
  return (
    <ScrollArea label={caption}>
      <table className="w-full text-md tabular-nums">
        <caption className="sr-only">{caption}</caption>
        <thead>
          <tr className="text-sm text-muted">
            <th scope="col" className="py-1.5 text-start font-medium">
              {EARNINGS_GROUP_NAMES[by]}
            </th>
            {COLUMNS.map((name) => (
              <th key={name} scope="col" className="py-1.5 ps-4 text-end align-bottom font-medium">
                {name}
              </th>
            ))}
          </tr>
        </thead>
        <tbody>
          {rows.map((row) => (
            <tr key={`${row.key} ${row.match} ${row.name} ${row.links}`} className="border-t border-line">
              <th scope="row" className="py-2.5 text-start align-top font-normal">
                {/* Wide enough for a word with large text. */}
                <div className="min-w-36 wrap-anywhere sm:min-w-48">
                  <RowName row={row} by={by} renderLink={renderLink} />
                  {row.match !== null && (
                    <span className="block text-sm text-muted">{EARNINGS_MATCH_NAMES[row.match]}</span>
                  )}
                </div>
              </th>
              <Cell>
                <Amount figures={row} />
              </Cell>
              <Cell>
                <PerClick figures={row} />
              </Cell>
              <Cell>
                <People people={row.people} />
              </Cell>
              <Cell>
                <Items count={row.ordered} />
              </Cell>
              <Cell>
                <Conversion figures={row} />
              </Cell>
              <Cell>
                <Items count={row.returned} />
              </Cell>
            </tr>
          ))}
        </tbody>
      </table>
    </ScrollArea>
  );
}

function Cell({ children }: { children: ReactNode }) {
  return <td className="py-2.5 ps-4 text-end align-top whitespace-nowrap">{children}</td>;
}

interface RowNameProps {
  row: EarningsRow;
  by: EarningsGroup;
  renderLink: RenderLink;
}

const MAX_LINKS = 5;

function RowName({ row: { key, name, links, match }, by, renderLink }: RowNameProps) {
  if (links.length > 0) {
    return (
      <ul className="flex flex-col gap-2">
        {name !== null && <li className="line-clamp-2">{name}</li>}
        {links.slice(0, MAX_LINKS).map((shortCode) => (
          <li key={shortCode}>{renderLink(shortCode, null)}</li>
        ))}
        {links.length > MAX_LINKS && <li>{`and ${formatNumber(links.length - MAX_LINKS)} more`}</li>}
      </ul>
    );
  }
  // The rows of links include channels.
  if (key === null || (by === "link" && match !== "link")) return name ?? NONE_OF_GROUP[by];
  if (by === "link") return renderLink(key, name);
  if (by === "day") return formatUtcDay(key);
  if (by === "store") return isMarketplace(key) ? storeName(key) : key;
  if (by !== "product") return name ?? key;
  return (
    <>
      {name !== null && <span className="line-clamp-2">{name}</span>}
      <span className={name === null ? "" : "block text-sm text-muted"}>{key}</span>
    </>
  );
}
