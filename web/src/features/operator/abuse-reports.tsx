import { useQuery } from "@tanstack/react-query";
import { useRef } from "react";
import * as z from "zod/mini";
import { ChoiceBar } from "../../components/ui/choice-bar.tsx";
import { useFocusAfterChange } from "../../lib/focus.ts";
import { queryOf } from "../../lib/http/query-presets.ts";
import { formatCount } from "../../lib/locale-formats.ts";
import { useUrlState } from "../../lib/use-url-state.ts";
import { AbuseReportItem } from "./abuse-report-item.tsx";
import { OperatorList } from "./operator-list.tsx";

const ABUSE_REPORT_VIEWS = ["open", "decided"] as const;
const VIEW_NAMES = { open: "Open", decided: "Decided" };

const NO_ABUSE_REPORTS = {
  open: "No reported link is open.",
  decided: "No abuse report has been decided yet.",
};

const AbuseReportsView = z.object({ show: z.catch(z.enum(ABUSE_REPORT_VIEWS), "open") });

export function AbuseReports() {
  const [{ show: view }, change] = useUrlState(AbuseReportsView);
  const query = useQuery({
    ...queryOf("GET /api/operator/abuse-reports", { query: { state: view } }),
    refetchInterval: 30_000,
  });
  const { data } = query;
  const box = useRef<HTMLDivElement>(null);
  useFocusAfterChange(data?.links.length, box);
  return (
    <div ref={box} tabIndex={-1} className="flex flex-col gap-6 outline-none">
      <ChoiceBar
        legend="Which abuse reports"
        isLegendHidden
        choices={ABUSE_REPORT_VIEWS.map((each) => [each, VIEW_NAMES[each]] as const)}
        value={view}
        onChange={(show) => change({ show })}
      />
      {data && (
        <p role="status" className="text-sm text-muted">
          {formatCount(data.openCount, "reported link is open.", "reported links are open.")}
        </p>
      )}
      <OperatorList
        label="Reported links"
        items={data?.links}
        query={query}
        empty={NO_ABUSE_REPORTS[view]}
        item={(link) => <AbuseReportItem key={link.shortCode} link={link} />}
      />
    </div>
  );
}
