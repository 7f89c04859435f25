import { useQuery } from "@tanstack/react-query";
import type { ReactNode } from "react";
import { PeriodChoice } from "../../components/period-choice.tsx";
import { Card } from "../../components/ui/card.tsx";
import { type ClickScope, clicksOptions } from "./api.ts";
import { Breakdown } from "./breakdown.tsx";
import { BreakdownTable } from "./breakdown-table.tsx";
import { ClickCounts } from "./click-counts.tsx";
import { ClicksPending } from "./clicks-messages.tsx";
import { CsvButton } from "./csv-button.tsx";
import { useClickView } from "./use-click-view.ts";

type ClicksProps =
  /** `children` follow the numbers. */
  | { shortCode: string; children?: ReactNode }
  /** For all links of the user. `renderLink` shows one of the links with the most taps. */
  | { shortCode: null; renderLink: (shortCode: string) => ReactNode };

/** How often a link, or all links, were opened in a period, and by whom. */
export function Clicks(props: ClicksProps) {
  const { period, clickClass, change } = useClickView();
  const scope = { shortCode: props.shortCode, period };
  return (
    <>
      <Card title={props.shortCode === null ? "All your links" : "Clicks"}>
        <div className="flex flex-col gap-6">
          <PeriodChoice period={period} onChange={(chosen) => change({ period: chosen })} />
          <ClickCounts
            scope={scope}
            clickClass={clickClass}
            onClassChange={(chosen) => change({ clickClass: chosen })}
          />
        </div>
      </Card>
      {props.shortCode === null ? <TopLinks scope={scope} renderLink={props.renderLink} /> : props.children}
      <Breakdown scope={scope} />
    </>
  );
}

interface TopLinksProps {
  scope: ClickScope;
  renderLink: (shortCode: string) => ReactNode;
}

/** The links with the most taps. */
function TopLinks({ scope, renderLink }: TopLinksProps) {
  const query = useQuery(clicksOptions(scope, "link"));
  const rows = query.data?.breakdown.filter(({ person }) => person > 0);
  return (
    <Card title="Top links">
      {!rows && <ClicksPending query={query} />}
      {rows?.length === 0 && <p className="text-muted">No clicks in this period.</p>}
      {rows && rows.length > 0 && (
        <>
          <BreakdownTable
            caption="Top links"
            nameHeading="Link"
            rows={rows.slice(0, MAX_LINKS)}
            renderName={renderLink}
          />
          <div className="mt-5 flex justify-end">
            <CsvButton scope={scope} by="link" />
          </div>
        </>
      )}
    </Card>
  );
}

/** The CSV file has up to 100. */
const MAX_LINKS = 50;
