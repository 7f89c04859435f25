import { useQuery } from "@tanstack/react-query";
import * as figureTexts from "@tapthru/proto/rules/messages/earnings-page";
import { useSearchParams } from "react-router-dom";
import { textLinkClass } from "../../components/ui/button.tsx";
import { Card } from "../../components/ui/card.tsx";
import { PageLink } from "../../components/ui/links.tsx";
import { formatUtcDay } from "../../lib/dates.ts";
import { readPeriod } from "../../lib/period.ts";
import { linkEarningsOptions } from "./api.ts";
import { EarningsRows, type RenderLink } from "./earnings-table.tsx";
import { areReported, EarningsTotals } from "./figures.tsx";

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
    <Card title={figureTexts.earningsOfLink}>
      {!data && <p role="alert">{figureTexts.earningsFailed}</p>}
      {data && data.reportedUntil === null && (
        <p className="leading-6 text-pretty text-muted">
          {figureTexts.noReportsYet}{" "}
          <PageLink to={importPath} className={textLinkClass}>
            {figureTexts.importReports}
          </PageLink>
        </p>
      )}
      {data && data.reportedUntil !== null && (
        <div className="flex flex-col gap-6">
          {data.sums.length === 0 ? (
            <p className="text-muted">
              {areReported(data) ? figureTexts.noEarningsOfLink : figureTexts.noReportsInPeriod}
            </p>
          ) : (
            <EarningsTotals figures={data} />
          )}
          {data.shared.length > 0 && (
            <div>
              <h3 className="font-medium">{figureTexts.sharedEarnings}</h3>
              <p className="mt-1 mb-3 text-sm text-pretty text-muted">
                {figureTexts.sharedEarningsText}
              </p>
              <EarningsRows
                rows={data.shared}
                by="link"
                caption={figureTexts.sharedEarnings}
                renderLink={renderLink}
              />
            </div>
          )}
          <p className="text-sm text-pretty text-muted">
            {figureTexts.reportedUntil(formatUtcDay(data.reportedUntil))}{" "}
            <PageLink to={earningsPath} className={textLinkClass}>
              {figureTexts.allEarnings}
            </PageLink>
          </p>
        </div>
      )}
    </Card>
  );
}
