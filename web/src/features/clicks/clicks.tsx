import { useQuery } from "@tanstack/react-query";
import { CLICK_CLASSES, PROGRAM_CLASSES } from "@tapthru/proto/clicks/keys";
import { paths } from "@tapthru/proto/rules/paths";
import type { ReactNode } from "react";
import * as z from "zod/mini";
import { PeriodChoice } from "../../components/period-choice.tsx";
import { textLinkClass } from "../../components/ui/button.tsx";
import { Card } from "../../components/ui/card.tsx";
import { PageLink } from "../../components/ui/links.tsx";
import { DownloadButton } from "../../kit/download-button.tsx";
import { comparisonOf, PERIOD_FIELDS, periodOf } from "../../lib/period.ts";
import { useUrlState } from "../../lib/use-url-state.ts";
import { type ClickScope, clicksFile, clicksOptions } from "./api.ts";
import { Breakdown, BreakdownTable } from "./breakdown.tsx";
import { ClickCounts } from "./click-counts.tsx";
import { ClicksLoaded } from "./clicks-loaded.tsx";
import { Hours } from "./hours.tsx";
import { Programs } from "./programs.tsx";
import { UnpaidTaps } from "./unpaid-taps.tsx";

const ClickView = z.object({ ...PERIOD_FIELDS, show: z.catch(z.enum(CLICK_CLASSES), "person") });

interface ClicksProps {
  /** Null for all links of the user, or those that are shared. */
  shortCode: string | null;
  /** The secret link that shares the clicks has it. */
  token?: string;
  /** Beside the chart. */
  aside?: (scope: ClickScope) => ReactNode;
  /** Follow the numbers of a link. */
  children?: ReactNode;
}

export function Clicks({ shortCode, token, aside, children }: ClicksProps) {
  const [view, change] = useUrlState(ClickView);
  const scope: ClickScope = { shortCode, token, period: periodOf(view), compared: comparisonOf(view) };
  const isOfAll = shortCode === null && token === undefined;
  const programClass = PROGRAM_CLASSES.find((each) => each === view.show);
  return (
    <div className="@container">
      <div className="grid items-start gap-4 @4xl:grid-cols-6 *:min-w-0">
        <div className="@4xl:col-span-4">
          <Card
            title={isOfAll ? "All your links" : "Clicks"}
            action={<PeriodChoice period={scope.period} compared={view} onChange={change} />}
          >
            <ClickCounts
              scope={scope}
              clickClass={view.show}
              onClassChange={(show) => change({ show })}
              onPeriod={(bar) => change(bar, false)}
            />
          </Card>
        </div>
        <div className="grid gap-4 @4xl:col-span-2 *:min-w-0">
          {aside?.(scope)}
          <Hours scope={scope} />
        </div>
        <div className="grid gap-4 @4xl:col-span-3 *:min-w-0">
          {programClass && token === undefined && <Programs scope={scope} programClass={programClass} />}
          {isOfAll ? <TopLinks scope={scope} /> : children}
        </div>
        <div className="grid gap-4 @4xl:col-span-3 *:min-w-0">
          {token === undefined && <UnpaidTaps scope={scope} />}
          <Breakdown scope={scope} />
        </div>
      </div>
    </div>
  );
}

function TopLinks({ scope }: { scope: ClickScope }) {
  return (
    <Card title="Top links">
      <ClicksLoaded query={useQuery(clicksOptions(scope, "link"))}>
        {({ breakdown }) => (
          <>
            <BreakdownTable
              caption="Top links"
              nameHeading="Link"
              parts={breakdown.slice(0, LINKS_MAX_COUNT)}
              nameOf={({ key, name }) => (
                <PageLink to={paths.link(key)} className={textLinkClass}>
                  {name ?? key}
                </PageLink>
              )}
            />
            <div className="mt-2 flex justify-end">
              <DownloadButton isLink file={() => clicksFile(scope, "link")} />
            </div>
          </>
        )}
      </ClicksLoaded>
    </Card>
  );
}

/** The CSV file has up to 100. */
const LINKS_MAX_COUNT = 50;
