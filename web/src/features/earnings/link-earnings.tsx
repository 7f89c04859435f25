import { useQuery } from "@tanstack/react-query";
import { paths } from "@tapthru/proto/rules/paths";
import { useLocation, useNavigate } from "react-router-dom";
import * as z from "zod/mini";
import { textLinkClass } from "../../components/ui/button.tsx";
import { Card } from "../../components/ui/card.tsx";
import { NavigationLink, PageLink } from "../../components/ui/links.tsx";
import { Loaded } from "../../components/ui/loaded.tsx";
import { comparisonOf, DEFAULT_PERIOD, PERIOD_FIELDS, periodOf } from "../../lib/period.ts";
import { useUrlState } from "../../lib/use-url-state.ts";
import { ClickCounts } from "../clicks/index.ts";
import { linkEarningsOptions } from "./api.ts";
import { EarningsRows } from "./earnings-table.tsx";
import {
  areReported,
  DAYS_OF_AMAZON,
  DaysNote,
  daysText,
  EarnedAmount,
  EarningsTotals,
  FIGURES,
  FigureChange,
} from "./figures.tsx";
import { MissingReports, NeedsReports } from "./import-reports.tsx";

/** The figures of a link in the last 30 days. A click on a day leads to its clicks. */
export function LinkFigures({ shortCode }: { shortCode: string }) {
  const navigate = useNavigate();
  const { state } = useLocation();
  const { data } = useQuery(linkEarningsOptions(shortCode));
  const [, perTap] = FIGURES;
  const clicks = paths.link(shortCode, "clicks");
  return (
    <Card
      title="Last 30 days"
      action={
        <NavigationLink
          to={clicks}
          replace
          state={state}
          className={`${textLinkClass} inline-flex min-h-6 items-center text-md`}
        >
          Taps and earnings
        </NavigationLink>
      }
    >
      {data && data.reportedUntil !== null && (
        <p className="mb-3 text-sm text-pretty text-muted">{`Earned: ${daysText(data, data)}`}</p>
      )}
      <ClickCounts
        scope={{ shortCode, period: DEFAULT_PERIOD }}
        facts={
          data && data.reportedUntil !== null
            ? [
                [
                  "Earned",
                  <EarnedAmount key="" earned={data} />,
                  <FigureChange key="" now={data} before={data.before?.totals} figure="earnings" />,
                ],
                (data.shared === null || data.earningsPerClick !== null) && [
                  "Per tap",
                  perTap?.cell(data),
                  <FigureChange key="" now={data} before={data.before?.totals} figure="earningsPerClick" />,
                ],
              ]
            : []
        }
        onPeriod={({ period, from, to }) =>
          navigate(`${clicks}?${new URLSearchParams({ period, from, to })}`, { state })
        }
      />
      <div className="mt-3">{data && <MissingReports missing={data.missing} />}</div>
    </Card>
  );
}

const View = z.object(PERIOD_FIELDS);

export function LinkEarnings({ shortCode }: { shortCode: string }) {
  const [view] = useUrlState(View);
  const period = periodOf(view);
  const hasDays = period.period !== "24h";
  const options = linkEarningsOptions(shortCode, { period, compared: comparisonOf(view) });
  const query = useQuery({ ...options, enabled: hasDays });
  const { data } = query;
  if (!hasDays) {
    return (
      <Card title="Earnings">
        <p className="leading-6 text-pretty text-muted">
          Amazon's reports cover whole days, not hours. Choose a longer period to see what this link earned.
        </p>
      </Card>
    );
  }
  if (query.isPending) return null;
  return (
    <Card title="Earnings">
      {!data && (
        <Loaded data={data} query={query} failed="The earnings could not be loaded.">
          {() => null}
        </Loaded>
      )}
      {data && data.reportedUntil === null && <NeedsReports>Amazon's reports say what this link earned.</NeedsReports>}
      {data && data.reportedUntil !== null && (
        <div className="flex flex-col gap-6">
          <DaysNote days={data} figures={data} />
          {data.sums.length === 0 && data.shared === null ? (
            <p className="text-muted">
              {areReported(data) ? "No sales by this link in this period." : "No report covers these days."}
            </p>
          ) : (
            <EarningsTotals figures={data} shared={data.shared} before={data.before?.totals} />
          )}
          {data.sharedRows.length > 0 && (
            <div>
              <h3 className="font-medium">Shared with other links</h3>
              <p className="mt-1 mb-3 text-sm text-pretty text-muted">
                These links have the same tag and product, so we can't know which of them sold.
              </p>
              <EarningsRows rows={data.sharedRows} by="link" caption="Shared with other links" />
            </div>
          )}
          <MissingReports missing={data.missing} />
          <p className="text-sm text-pretty text-muted">
            {DAYS_OF_AMAZON}{" "}
            <PageLink to={paths.earnings} className={textLinkClass}>
              All earnings
            </PageLink>
          </p>
        </div>
      )}
    </Card>
  );
}
