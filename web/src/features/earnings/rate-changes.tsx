import { useQuery } from "@tanstack/react-query";
import type { RateChange } from "@tapthru/proto/earnings";
import { isMarketplace } from "@tapthru/proto/rules/amazon/marketplaces";
import { formatMoney } from "@tapthru/proto/rules/money";
import { paths } from "@tapthru/proto/rules/paths";
import { Card } from "../../components/ui/card.tsx";
import { formatDays } from "../../lib/dates.ts";
import { queryOf } from "../../lib/http/query-presets.ts";
import { formatRate } from "../../lib/locale-formats.ts";
import { storeName } from "../../lib/names.ts";
import { UNTIL_IMPORT } from "./api.ts";
import { NameLink } from "./earnings-table.tsx";

/** Where Amazon changed its commission. Nothing if it did not, as far as reports show. */
export function RateChanges() {
  const { data } = useQuery({ ...queryOf("GET /api/earnings/rate-changes"), ...UNTIL_IMPORT });
  if (!data || (data.hasRevenue && data.changes.length === 0)) return null;
  return (
    <Card title="Changed commission">
      {!data.hasRevenue && (
        <p className="text-pretty text-muted">
          Your reports have no column of revenue, so we can't see what share of it Amazon pays. Import Fee-Earnings with
          all columns.
        </p>
      )}
      <ul className="flex flex-col gap-4">
        {data.changes.map((change) => (
          <li key={`${change.asin} ${sentenceOf(change)}`}>
            <p className="leading-6 text-pretty">{sentenceOf(change)}</p>
            <Links text="Your links to it:" links={change.links} />
            <Links text={`These similar ones still pay ${formatRate(change.before)}:`} links={change.unchanged} />
          </li>
        ))}
      </ul>
    </Card>
  );
}

function sentenceOf({
  level,
  name,
  asin,
  marketplace,
  storeId,
  isDirect,
  day,
  before,
  after,
  perMonth,
  currency,
}: RateChange) {
  const account = storeId === "" ? "" : `, account ${storeId},`;
  const store = `${isMarketplace(marketplace) ? storeName(marketplace) : marketplace}${account}`;
  const what = { product: `“${name ?? asin}”`, category: `the category “${name}”`, store: "each product" }[level];
  const sales = isDirect === false ? " for indirect sales" : "";
  const amount = `${formatMoney(Math.abs(perMonth), currency)} ${perMonth < 0 ? "more" : "less"} a month`;
  return `Since ${formatDays(day, day)}, ${what} of ${store} pays ${formatRate(after)} instead of ${formatRate(before)}${sales}: at your sales that is ${amount}.`;
}

function Links({ text, links }: { text: string; links: RateChange["links"] }) {
  if (links.length === 0) return null;
  return (
    <p className="mt-1 flex flex-wrap gap-x-3 text-sm text-muted">
      {text}
      {links.map(({ shortCode, name }) => (
        <NameLink key={shortCode} to={paths.link(shortCode)}>
          {name}
        </NameLink>
      ))}
    </p>
  );
}
