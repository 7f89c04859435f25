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
  const query = useQuery({ ...options, placeholderData: keepPreviousData });
  return (
    <Loaded place="page" data={query.data} query={query} failed="The figures could not be loaded.">
      {({ connection, rows }) => (
        <div className="grid gap-4 *:min-w-0">
          <Card
            title="Campaigns"
            action={<PeriodChoice period={period} narrowed={null} kinds={DAY_PERIODS} onChange={change} />}
          >
            <State connection={connection} />
            <Figures rows={rows.filter(({ adGroupId }) => adGroupId === null)} by="Campaign" />
          </Card>
          <Card title="Links">
            <p className="mb-4 text-sm text-pretty text-muted">
              Links whose address has the aa_campaignid and aa_adgroupid of a campaign. Several links with the same ones
              share a row.
            </p>
            <Figures rows={rows.filter(({ adGroupId }) => adGroupId !== null)} by="Link" />
          </Card>
        </div>
      )}
    </Loaded>
  );
}

const STATES = {
  none: "Amazon Ads is not connected.",
  waiting:
    "Amazon Attribution has not been read yet. This takes a few minutes after you connect, and longer if Amazon is busy.",
  read: "",
  "no-attribution": "The connected account has no Amazon Attribution, so there is nothing to read.",
  revoked: "Amazon says that the permission was withdrawn. Connect again to get new figures.",
} as const;

function State({ connection }: { connection: Pick<AmazonAdsConnection, "state" | "readAt"> | null }) {
  const isOwn = useChosenAccount() === null;
  const text = STATES[connection?.state ?? "none"];
  return (
    <div className="mb-4 flex flex-col gap-1 text-sm text-pretty text-muted">
      {text && (
        <p role="status">
          {text}{" "}
          {isOwn && (
            <PageLink to={paths.amazonAdsAuth} className={textLinkClass}>
              Your connection
            </PageLink>
          )}
        </p>
      )}
      {connection?.readAt && (
        <p>{`Last read ${formatMinute(connection.readAt)}. It has the days until the one before.`}</p>
      )}
      <p>
        {`What Amazon attributes to a click within 14 days, for all products of the brand. At most ${ATTRIBUTION_MAX_CAMPAIGNS} campaigns, those with the most clicks. None of it is in your earnings as an Associate.`}
      </p>
    </div>
  );
}

function Figures({ rows, by }: { rows: AttributionRow[]; by: "Campaign" | "Link" }) {
  if (rows.length === 0) return <p>{`No ${by.toLowerCase()} has figures in these days.`}</p>;
  return (
    <DataTable
      caption={`Figures by ${by.toLowerCase()}`}
      rows={rows}
      keyOf={(row) => JSON.stringify([row.campaignId, row.adGroupId, row.advertiser, row.currency])}
      columns={[
        {
          name: by,
          cell: ({ campaignId, adGroupId, advertiser, links }) => (
            <>
              {links.map(({ shortCode, name }) => (
                <PageLink key={shortCode} to={paths.link(shortCode)} className={`block ${textLinkClass}`}>
                  {name}
                </PageLink>
              ))}
              {adGroupId === null && campaignId}
              <span className="block text-sm text-muted">
                {adGroupId === null ? advertiser : `${campaignId}, ${adGroupId}`}
              </span>
            </>
          ),
        },
        { name: "Sales", cell: ({ sales, currency }) => formatMoney(sales, currency) },
        { name: "Purchases", cell: ({ purchases }) => formatNumber(purchases) },
        { name: "Clicks", cell: ({ clicks }) => formatNumber(clicks) },
        { name: "Detail pages", cell: ({ detailPageViews }) => formatNumber(detailPageViews) },
        { name: "Carts", cell: ({ cartAdditions }) => formatNumber(cartAdditions) },
      ]}
    />
  );
}
