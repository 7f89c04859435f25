import type { EarningsGroup, EarningsOrder, EarningsRow } from "@tapthru/proto/earnings";
import { isMarketplace } from "@tapthru/proto/rules/amazon/marketplaces";
import { paths } from "@tapthru/proto/rules/paths";
import { textLinkClass } from "../../components/ui/button.tsx";
import { PageLink } from "../../components/ui/links.tsx";
import { type Column, DataTable } from "../../components/ui/table.tsx";
import { Can } from "../../kit/can.tsx";
import { formatUtcDay } from "../../lib/dates.ts";
import { formatCount, formatNumber, formatShare } from "../../lib/locale-formats.ts";
import { storeName } from "../../lib/names.ts";
import { FIGURES, NotKnown } from "./figures.tsx";

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

/** How a row was matched. */
const MATCHES = {
  link: { name: "One link", text: "One link alone has this tag and this product." },
  links: {
    name: "Several links",
    text: "Several links have this tag and this product, so we can't know which of them sold.",
  },
  channel: {
    name: "Channel only",
    text: "The tag is yours, but people bought something else, or Amazon did not name the product.",
  },
  none: { name: "Not matched", text: "No channel and no link of yours has this tag." },
} as const;

interface EarningsRowsProps {
  rows: readonly EarningsRow[];
  by: EarningsGroup;
  caption: string;
  order?: EarningsOrder;
  onOrder?: (order: EarningsOrder) => void;
}

const FEW_ROWS = 10;

export function EarningsRows({ by, ...table }: EarningsRowsProps) {
  const hasAmazonClicks = table.rows.some(({ amazonClicks }) => amazonClicks);
  return (
    <DataTable
      {...table}
      shortCount={FEW_ROWS}
      keyOf={({ key, match, name, links }) => [key, match, name, ...links.map(({ shortCode }) => shortCode)].join(" ")}
      columns={[
        {
          name: EARNINGS_GROUP_NAMES[by],
          order: by === "day" ? "key" : undefined,
          cell: (row) => (
            <>
              <RowName row={row} by={by} />
              {row.match !== null && (
                <span className="block text-sm text-muted" title={MATCHES[row.match].text}>
                  {MATCHES[row.match].name}
                  {row.match === "none" && (
                    <Can call="PUT /api/channels/:id/tags">
                      {": "}
                      <NameLink to={paths.stores}>Add your tags</NameLink>
                    </Can>
                  )}
                </span>
              )}
              {row.people !== null && (
                <span className="block text-sm text-muted sm:hidden">
                  {[
                    formatCount(row.people, "tap"),
                    row.ordered === null ? [] : `${formatNumber(row.ordered)} ordered`,
                    row.amazonClicks ? `Amazon counted ${countsText(row.amazonClicks)}` : [],
                  ]
                    .flat()
                    .join(", ")}
                </span>
              )}
            </>
          ),
        },
        ...FIGURES.filter(({ order }) => order !== undefined).flatMap((column) =>
          column.order === "people" && hasAmazonClicks ? [column, AMAZON_CLICKS] : [column],
        ),
      ]}
    />
  );
}

/** Only channels have it. */
const AMAZON_CLICKS: Column<EarningsRow, EarningsOrder> = {
  name: "Amazon's clicks",
  className: "max-sm:hidden",
  cell: ({ amazonClicks }) =>
    amazonClicks ? (
      <>
        {amazonClicks.people > 0 && formatShare(amazonClicks.clicks / amazonClicks.people)}
        <span className="block text-sm text-muted">{countsText(amazonClicks)}</span>
      </>
    ) : (
      <NotKnown />
    ),
};

const countsText = ({ clicks, people }: NonNullable<EarningsRow["amazonClicks"]>) =>
  `${formatNumber(clicks)} of ${formatNumber(people)}`;

const MAX_LINKS = 5;

function RowName({ row: { key, name, links, match }, by }: { row: EarningsRow; by: EarningsGroup }) {
  if (links.length > 0) {
    return (
      <ul className="flex flex-col gap-2">
        {name !== null && <li className="line-clamp-2">{name}</li>}
        {links.slice(0, MAX_LINKS).map((link) => (
          <li key={link.shortCode}>
            <NameLink to={paths.link(link.shortCode)}>{link.name}</NameLink>
          </li>
        ))}
        {links.length > MAX_LINKS && <li>{`and ${formatNumber(links.length - MAX_LINKS)} more`}</li>}
      </ul>
    );
  }
  // The rows of links include channels.
  if (key === null || (by === "link" && match !== "link")) return name ?? NONE_OF_GROUP[by];
  if (by === "day") return formatUtcDay(key);
  if (by === "link") return <NameLink to={paths.link(key)}>{name ?? key}</NameLink>;
  const to = `${paths.dashboard}?${SEARCHES[by]}=${key}`;
  if (by === "store") return isMarketplace(key) ? <NameLink to={to}>{storeName(key)}</NameLink> : key;
  if (by !== "product") return <NameLink to={to}>{name ?? key}</NameLink>;
  return (
    <>
      {name !== null && <span className="line-clamp-2">{name}</span>}
      <NameLink to={to}>{key}</NameLink>
    </>
  );
}

/** What finds the links of a row on the dashboard. */
const SEARCHES = { label: "label", channel: "channel", store: "store", product: "q" } as const;

export function NameLink({ to, children }: { to: string; children: string }) {
  return (
    <PageLink to={to} className={textLinkClass}>
      {children}
    </PageLink>
  );
}
