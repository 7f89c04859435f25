import { messages } from "@tapthru/proto/rules/messages";
import type { ReactNode } from "react";
import { Card } from "../../components/ui/card.tsx";
import { Breakdown } from "./breakdown.tsx";
import { ClickCounts } from "./click-counts.tsx";
import { PeriodChoice } from "./period-choice.tsx";
import { TopLinks } from "./top-links.tsx";
import { useClickView } from "./use-click-view.ts";

type ClicksProps =
  | { shortCode: string }
  /** For all links of the user. `renderLink` shows one of the links with the most taps. */
  | { shortCode: null; renderLink: (shortCode: string) => ReactNode };

/** How often a link, or all links, were opened in a period, and by whom. */
export function Clicks(props: ClicksProps) {
  const { period, clickClass, change } = useClickView();
  const scope = { shortCode: props.shortCode, period };
  return (
    <>
      <Card title={props.shortCode === null ? messages.clicksOfAllLinks : messages.clicks}>
        <div className="flex flex-col gap-6">
          <PeriodChoice period={period} onChange={(chosen) => change({ period: chosen })} />
          <ClickCounts
            scope={scope}
            clickClass={clickClass}
            onClassChange={(chosen) => change({ clickClass: chosen })}
          />
        </div>
      </Card>
      {props.shortCode === null && <TopLinks scope={scope} renderLink={props.renderLink} />}
      <Breakdown scope={scope} />
    </>
  );
}
