import { useQuery } from "@tanstack/react-query";
import type { ReportedLink } from "@tapthru/proto/operator/abuse-reports";
import { ABUSE_REASONS } from "@tapthru/proto/rules/abuse-reasons";
import { useRef } from "react";
import * as z from "zod/mini";
import { LinkPicture } from "../../components/link-picture.tsx";
import { Badge } from "../../components/ui/badge.tsx";
import { Button } from "../../components/ui/button.tsx";
import { ChoiceBar } from "../../components/ui/choice-bar.tsx";
import { useCall } from "../../kit/use-call.ts";
import { formatDay, formatMinute } from "../../lib/dates.ts";
import { useFocusAfterChange } from "../../lib/focus.ts";
import { queryOf } from "../../lib/http/query-presets.ts";
import { formatCount } from "../../lib/locale-formats.ts";
import { ABUSE_REASON_TEXTS } from "../../lib/names.ts";
import { useUrlState } from "../../lib/use-url-state.ts";
import { LinkLines, OPERATOR_ITEM, OperatorList, OwnerLink } from "./operator-list.tsx";

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

const DECIDE_ABOUT = {
  "taken-down": (name: string) => `Take down ${name}`,
  dismissed: (name: string) => `Dismiss the abuse reports of ${name}`,
  open: (name: string) => `Undo the decision about ${name}`,
};

const DECIDE = { "taken-down": "Take down", dismissed: "Dismiss", open: "Undo" };
const DECIDED = { dismissed: "Dismissed", "taken-down": "Taken down" };

const ABUSE_REPORTS_DECIDED = {
  "taken-down": (code: string) => `${code} was taken down. Visitors see that it no longer works.`,
  dismissed: (code: string) => `The abuse reports of ${code} were dismissed.`,
  open: (code: string) => `The abuse reports of ${code} are open again.`,
};

const reportedAt = (first: string, last: string) =>
  first === last ? `Reported ${first}` : `Reported ${first} to ${last}`;

function AbuseReportItem({ link }: { link: ReportedLink }) {
  const { shortCode, title, imageUrl, owner, state, counts, createdAt } = link;
  const { call, isPending } = useCall("PUT /api/operator/abuse-reports/:shortCode", {
    done: ({ state: to }) => ABUSE_REPORTS_DECIDED[to](shortCode),
    undo: ({ state: to }, { params }) => (to === "open" ? null : { params, body: { state: "open" as const } }),
  });
  const name = title ?? shortCode;

  const button = (to: ReportedLink["state"], variant: "outline" | "quiet") => (
    <Button
      variant={variant}
      aria-label={DECIDE_ABOUT[to](name)}
      aria-busy={isPending}
      // The second click of a double click may be on another button.
      onClick={({ detail }) => detail < 2 && call({ params: { shortCode }, body: { state: to } })}
    >
      {DECIDE[to]}
    </Button>
  );

  return (
    <li className={OPERATOR_ITEM}>
      <LinkPicture src={imageUrl} />
      <div className="min-w-0 flex-1 basis-48">
        <LinkLines link={link}>{state !== "open" && <Badge>{DECIDED[state]}</Badge>}</LinkLines>
        <p className="mt-2 flex flex-wrap gap-1.5">
          {ABUSE_REASONS.map((reason) => {
            const count = counts[reason];
            if (!count) return null;
            return (
              <Badge key={reason} variant="quiet">
                {`${ABUSE_REASON_TEXTS[reason].name}: ${count}`}
              </Badge>
            );
          })}
        </p>
        <p className="mt-2 text-sm text-muted">
          {reportedAt(formatMinute(link.firstReportedAt), formatMinute(link.lastReportedAt))}
          {" · "}
          {`created ${formatDay(createdAt)}`} <OwnerLink owner={owner} />
        </p>
      </div>
      <div className="flex flex-wrap gap-2">
        {state === "open" ? (
          <>
            {button("taken-down", "outline")}
            {button("dismissed", "quiet")}
          </>
        ) : (
          button("open", "quiet")
        )}
      </div>
    </li>
  );
}
