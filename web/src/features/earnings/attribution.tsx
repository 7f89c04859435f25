import { keepPreviousData, useQuery } from "@tanstack/react-query";
import type { AmazonAdsConnection, AttributionRow } from "@tapthru/proto/amazon-ads";
import { ATTRIBUTION_MAX_CAMPAIGNS } from "@tapthru/proto/rules/limits";
import { formatMoney } from "@tapthru/proto/rules/money";
import { paths } from "@tapthru/proto/rules/paths";
import * as z from "zod/mini";
import { PeriodChoice } from "../../components/period-choice.tsx";
import { textLinkClass } from "../../components/ui/button.tsx";
import { Card } from "../../components/ui/card.tsx";
import { PageLink } from "../../components/ui/links.tsx";
import { Loaded } from "../../components/ui/loaded.tsx";
import { DataTable } from "../../components/ui/table.tsx";
import { useChosenAccount } from "../../kit/may.tsx";
import { formatMinute } from "../../lib/dates.ts";
import { queryOf } from "../../lib/http/query-presets.ts";
import { formatNumber } from "../../lib/locale-formats.ts";
import { DAY_PERIODS, PERIOD_FIELDS, periodOf } from "../../lib/period.ts";
import { useUrlState } from "../../lib/use-url-state.ts";
import { daysOf } from "./api.ts";

const View = z.object(PERIOD_FIELDS);

/** What Amazon counted for campaigns of the user's own products. It is never added to what links earned. */
export function Attribution() {
  const [view, change] = useUrlState(View);
  const period = periodOf(view, DAY_PERIODS);
  const options = queryOf("GET /api/amazon-ads/attribution", { query: daysOf(period) });
  const query = useQuery({
    ...options,
    placeholderData: keepPreviousData,
    refetchInterval: ({ state }) => state.data?.connection?.state === "waiting" && 10_000,
  });
  const choice = <PeriodChoice period={period} narrowed={null} kinds={DAY_PERIODS} onChange={change} />;
  return (
    <Loaded place="page" data={query.data} query={query} failed="The figures could not be loaded.">
      {({ connection, rows }) => (
        <div className="grid gap-4 *:min-w-0">
          <Card title="Campaigns" action={choice}>
            <State connection={connection} />
            <Figures rows={rows.filter(({ adGroupId }) => adGroupId === null)} by="Campaign" />
          </Card>
          <Card title="Links">
            <Figures rows={rows.filter(({ adGroupId }) => adGroupId !== null)} by="Link" />
          </Card>
        </div>
      )}
    </Loaded>
  );
}

const STATES = {
  none: "Amazon Ads is not connected.",
  waiting: "Amazon Attribution has not been read yet. That takes a few minutes, or longer if Amazon is busy.",
  read: "",
  "no-attribution": "The connected account has no Amazon Attribution, so there is nothing to read.",
  revoked: "Amazon says that the permission was withdrawn. Connect again to get new figures.",
} as const;

function State({ connection }: { connection: Pick<AmazonAdsConnection, "state" | "readAt"> | null }) {
  const isOwn = useChosenAccount() === null;
  return (
    <p className="mb-4 text-sm text-pretty text-muted">
      {`${STATES[connection?.state ?? "none"]} `}
      {connection?.readAt && `Last read ${formatMinute(connection.readAt)}, up to the day before. `}
      {connection &&
        `These are purchases within 14 days of a click, of all products of the brand, for the ${ATTRIBUTION_MAX_CAMPAIGNS} campaigns with the most clicks. They are not part of your earnings as an Associate. `}
      {isOwn && (
        <PageLink to={paths.amazonAdsAuth} className={textLinkClass}>
          {connection ? "Your connection" : "Connect Amazon Ads"}
        </PageLink>
      )}
    </p>
  );
}

const EMPTY = {
  Campaign: "No campaign has figures in these days.",
  Link: "No link has figures in these days. Here are links whose address has the aa_campaignid and aa_adgroupid of a campaign.",
};

function Figures({ rows, by }: { rows: AttributionRow[]; by: "Campaign" | "Link" }) {
  if (rows.length === 0) return <p>{EMPTY[by]}</p>;
  return (
    <DataTable
      caption={`Figures by ${by.toLowerCase()}`}
      rows={rows}
      keyOf={(row) => JSON.stringify([row.campaignId, row.adGroupId, row.advertiser, row.currency])}
      columns={[
        { name: by, cell: (row) => <Name row={row} /> },
        { name: "Sales", cell: ({ sales, currency }) => formatMoney(sales, currency) },
        { name: "Purchases", cell: ({ purchases }) => formatNumber(purchases) },
        { name: "Clicks", cell: ({ clicks }) => formatNumber(clicks) },
        { name: "Detail pages", cell: ({ detailPageViews }) => formatNumber(detailPageViews) },
        { name: "Carts", cell: ({ cartAdditions }) => formatNumber(cartAdditions) },
      ]}
    />
  );
}

function Name({ row: { campaignId, adGroupId, advertiser, links } }: { row: AttributionRow }) {
  return (
    <>
      {adGroupId === null && campaignId}
      {links.map(({ shortCode, name }) => (
        <PageLink key={shortCode} to={paths.link(shortCode)} className={`block ${textLinkClass}`}>
          {name}
        </PageLink>
      ))}
      <span className="block text-sm text-muted">
        {adGroupId === null ? advertiser : `${campaignId}, ${adGroupId}`}
      </span>
    </>
  );
}
