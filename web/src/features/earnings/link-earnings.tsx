import { useQuery } from "@tanstack/react-query";
import { useSearchParams } from "react-router-dom";
import { textLinkClass } from "../../components/ui/button.tsx";
import { Card } from "../../components/ui/card.tsx";
import { PageLink } from "../../components/ui/links.tsx";
import { formatUtcDay } from "../../lib/dates.ts";
import { readPeriod } from "../../lib/period.ts";
import { linkEarningsOptions } from "./api.ts";
import { EarningsRows, type RenderLink } from "./earnings-table.tsx";
import { areReported, EarningsTotals, reportedUntil } from "./figures.tsx";

interface LinkEarningsProps {
  shortCode: string;
  importPath: string;
  earningsPath: string;
  renderLink: RenderLink;
}

/** What a link earned in the period of its clicks. */
export function LinkEarnings(props: LinkEarningsProps) {
  const { shortCode, importPath, earningsPath, renderLink } = props;
  const [params] = useSearchParams();
  const { data, isPending } = useQuery(linkEarningsOptions(shortCode, readPeriod(params)));
  if (isPending) return null;
  return (
    <Card title="Earnings">
      {!data && <p role="alert">The earnings could not be loaded.</p>}
      {data && data.reportedUntil === null && (
        <p className="leading-6 text-pretty text-muted">
          Import Amazon's reports to see here what this link earned.{" "}
          <PageLink to={importPath} className={textLinkClass}>
            Import reports
          </PageLink>
        </p>
      )}
      {data && data.reportedUntil !== null && (
        <div className="flex flex-col gap-6">
          {data.sums.length === 0 ? (
            <p className="text-muted">
              {areReported(data) ? "No sale of this link alone in this period." : "No imported report has these days."}
            </p>
          ) : (
            <EarningsTotals figures={data} />
          )}
          {data.shared.length > 0 && (
            <div>
              <h3 className="font-medium">Shared with other links</h3>
              <p className="mt-1 mb-3 text-sm text-pretty text-muted">
                These links have the same tracking ID and product. Which of them sold is not known.
              </p>
              <EarningsRows rows={data.shared} by="link" caption="Shared with other links" renderLink={renderLink} />
            </div>
          )}
          <p className="text-sm text-pretty text-muted">
            {reportedUntil(formatUtcDay(data.reportedUntil))}{" "}
            <PageLink to={earningsPath} className={textLinkClass}>
              All earnings
            </PageLink>
          </p>
        </div>
      )}
    </Card>
  );
}
