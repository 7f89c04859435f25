import type { EarningsTable } from "@tapthru/proto/http/earnings";
import * as figureTexts from "@tapthru/proto/rules/messages/earnings-page";
import { textLinkClass } from "../../components/ui/button.tsx";
import { Card } from "../../components/ui/card.tsx";
import { PageLink } from "../../components/ui/links.tsx";
import { Amount } from "./figures.tsx";

interface MatchesProps {
  matches: EarningsTable["matches"];
  /** The page where users say their tracking ids. */
  storesPath: string;
}

/** How much of the earnings is known to be of a link, and how much is not. */
export function Matches({ matches, storesPath }: MatchesProps) {
  return (
    <Card title={figureTexts.matchesOfEarnings}>
      <dl className="divide-y divide-line">
        {matches.map(({ match, ...figures }) => (
          <div
            key={match}
            className="flex flex-wrap items-start justify-between gap-x-6 gap-y-1 py-3 first:pt-0 last:pb-0"
          >
            <dt className="min-w-0 flex-1 basis-56">
              <span className="font-medium">{figureTexts.earningsMatches[match]}</span>
              <span className="block text-sm text-pretty text-muted">
                {figureTexts.earningsMatchTexts[match]}
              </span>
              {match === "none" && (
                <PageLink to={storesPath} className={`${textLinkClass} text-sm`}>
                  {figureTexts.addTrackingIds}
                </PageLink>
              )}
            </dt>
            <dd className="font-medium tabular-nums sm:text-end">
              <Amount figures={figures} isExplained />
            </dd>
          </div>
        ))}
      </dl>
    </Card>
  );
}
