import type { EarningsTable } from "@tapthru/proto/earnings";
import { textLinkClass } from "../../components/ui/button.tsx";
import { Card } from "../../components/ui/card.tsx";
import { PageLink } from "../../components/ui/links.tsx";
import { Amount } from "./figures.tsx";

export const EARNINGS_MATCH_NAMES = {
  link: "One link",
  links: "Several links",
  channel: "Channel only",
  none: "Not matched",
} as const;

const EARNINGS_MATCH_TEXTS = {
  link: "The tracking ID and the product are those of one link.",
  links: "Several links share the tracking ID and the product. Which of them sold is not known.",
  channel:
    "Only the tracking ID is known to be yours: visitors bought something else, or Amazon did not name the product.",
  none: "The tracking ID is not that of a channel or link here.",
} as const;

interface MatchesProps {
  matches: EarningsTable["matches"];
  /** The page where users say their tracking ids. */
  storesPath: string;
}

/** How much of the earnings is known to be of a link, and how much is not. */
export function Matches({ matches, storesPath }: MatchesProps) {
  return (
    <Card title="How the earnings were matched">
      <dl className="divide-y divide-line">
        {matches.map(({ match, ...figures }) => (
          <div
            key={match}
            className="flex flex-wrap items-start justify-between gap-x-6 gap-y-1 py-3 first:pt-0 last:pb-0"
          >
            <dt className="min-w-0 flex-1 basis-56">
              <span className="font-medium">{EARNINGS_MATCH_NAMES[match]}</span>
              <span className="block text-sm text-pretty text-muted">{EARNINGS_MATCH_TEXTS[match]}</span>
              {match === "none" && (
                <PageLink to={storesPath} className={`${textLinkClass} text-sm`}>
                  Add your tracking IDs
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
