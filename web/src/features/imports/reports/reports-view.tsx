import { useQueryClient } from "@tanstack/react-query";
import type { EarningsImport, EarningsReport } from "@tapthru/proto/earnings-imports";
import { EARNINGS_ROWS_MAX_COUNT } from "@tapthru/proto/rules/limits";
import { paths } from "@tapthru/proto/rules/paths";
import { CircleAlert } from "lucide-react";
import { Button, buttonClass } from "../../../components/ui/button.tsx";
import { Card } from "../../../components/ui/card.tsx";
import { Details } from "../../../components/ui/details.tsx";
import { PageLink } from "../../../components/ui/links.tsx";
import { Notice } from "../../../components/ui/notice.tsx";
import { Spinner } from "../../../components/ui/spinner.tsx";
import { Action } from "../../../kit/action.tsx";
import { Can } from "../../../kit/can.tsx";
import { formatNumber } from "../../../lib/locale-formats.ts";
import { storeName } from "../../../lib/names.ts";
import { periodProblem } from "../../../lib/period.ts";
import { EARNINGS_KEY } from "../../earnings/index.ts";
import { AnswerForm } from "./answer-form.tsx";
import { ReportList } from "./report-list.tsx";

export const nameOfReports = ({ fileName }: EarningsImport) => fileName ?? "Reports from Amazon";

const READING_REPORTS = "Amazon's reports are being read. You can leave this page.";

const EARNINGS_REFUSALS = {
  "unreadable-file": "The file could not be read. Please send the ZIP, CSV or TSV as Amazon made it.",
  spreadsheet: "This is a spreadsheet. Please send the CSV or ZIP as Amazon made it, or save the spreadsheet as CSV.",
  "not-read": "The file could not be read after several attempts. Please import it again, or shorter periods.",
  "takes-too-long":
    "The file takes too long to read. Please download shorter periods, and send the CSV as Amazon made it.",
  "empty-file": "There is no report in this file.",
  "too-many-rows": `The file has more than ${formatNumber(EARNINGS_ROWS_MAX_COUNT)} rows. Please download shorter periods.`,
  "unknown-report": "This report cannot be read. Its columns are not those of a known report.",
  "missing-column": "The report lacks a column that is needed.",
  "unclear-number": "This number cannot be read with certainty.",
  "unclear-date": "This date cannot be read with certainty.",
  "date-out-of-range": "This day is not in the period of the report.",
  "wrong-currency": "The currency is not that of the store.",
  "repeated-days":
    "Two reports of one kind have the same days, and one would replace the other. Please import them one after the other, with the store ID of each account.",
} as const;

interface ReportsViewProps {
  import: EarningsImport;
  onNew: () => void;
}

export function ReportsView({ import: shown, onNew }: ReportsViewProps) {
  const { state, question, refusal, reports, ignoredFiles } = shown;
  const hasReports = state === "ready" || state === "stored";
  return (
    <Card title={nameOfReports(shown)}>
      <div className="flex flex-col gap-5">
        {/* Announced when the state changes. */}
        <p role="status" className="text-md font-medium text-pretty empty:hidden">
          {STATE_TEXTS[state]}
        </p>
        {state === "reading" && <Spinner label={READING_REPORTS} />}
        {state === "question" && question !== null && (
          <Can call="PATCH /api/earnings/imports/:id" what="say what the file does not">
            <AnswerForm import={shown} question={question} />
          </Can>
        )}
        {refusal !== null && <Refusal refusal={refusal} />}
        {hasReports && (
          <>
            <ReportList reports={reports} heading={headingOf(shown)} />
            {ignoredFiles.length > 0 && (
              <p className="text-sm text-pretty wrap-anywhere text-muted">
                {`Not needed, and not read: ${ignoredFiles.join(", ")}`}
              </p>
            )}
          </>
        )}
        <Actions import={shown} onNew={onNew} />
        {state === "ready" && (
          <Can call="PATCH /api/earnings/imports/:id">
            <Details summary="Is the store, the account or a date wrong?" openSummary="Hide">
              <AnswerForm import={shown} question={null} />
            </Details>
          </Can>
        )}
      </div>
    </Card>
  );
}

const STATE_TEXTS = {
  reading: READING_REPORTS,
  question: "",
  ready: "Nothing counts yet. Compare these sums with Amazon's, then store them.",
  stored: "These figures count.",
  refused: "The file was refused. Nothing of it is stored.",
};

function headingOf({ marketplace, storeId }: EarningsImport): string {
  const store = marketplace === null ? "" : storeName(marketplace);
  return storeId === "" ? `Reports of ${store}` : `Reports of ${store}, account ${storeId}`;
}

function Refusal({ refusal }: { refusal: NonNullable<EarningsImport["refusal"]> }) {
  const { reason, text, fileName, line } = refusal;
  const place = [fileName, line === null ? null : `line ${formatNumber(line)}`].filter(Boolean).join(", ");
  return (
    <div className="flex flex-col gap-3">
      <Notice icon={CircleAlert}>{EARNINGS_REFUSALS[reason]}</Notice>
      {(place !== "" || text !== null) && (
        <div className="rounded-xl bg-sunken px-4 py-3 wrap-anywhere">
          {place !== "" && <p className="text-sm text-muted">{`In ${place}`}</p>}
          {text !== null && <code className="mt-1 block text-sm">{text}</code>}
        </div>
      )}
    </div>
  );
}

/** The parameters of the page of earnings for the days of the reports; none if they are too many. */
function periodOf(reports: readonly EarningsReport[]): string {
  const days = reports.flatMap(({ firstDay, lastDay }) => [firstDay, lastDay]).sort();
  const [from, to] = [days[0], days.at(-1)];
  if (from === undefined || to === undefined || periodProblem(from, to) !== null) return "";
  return `?${new URLSearchParams({ period: "custom", from, to })}`;
}

function Actions({ import: shown, onNew }: ReportsViewProps) {
  const { id, state, reports } = shown;
  const queryClient = useQueryClient();
  const isOpen = state === "question" || state === "ready" || state === "reading";
  return (
    <div className="flex flex-wrap gap-3">
      {state === "ready" && (
        <Action
          call="POST /api/earnings/imports/:id/store"
          input={{ params: { id } }}
          label="Store these figures"
          variant="primary"
          // No page shows figures of before.
          onDone={() => queryClient.removeQueries({ queryKey: EARNINGS_KEY, type: "inactive" })}
        />
      )}
      {state === "stored" && (
        <>
          <PageLink to={paths.earnings + periodOf(reports)} className={buttonClass()}>
            Your earnings
          </PageLink>
          <RemoveReports import={shown} label="Remove" question={REMOVAL_QUESTION} onDone={onNew} />
        </>
      )}
      {isOpen ? (
        <RemoveReports import={shown} label="Discard" onDone={onNew} />
      ) : (
        <Button variant={state === "refused" ? "primary" : "outline"} onClick={onNew}>
          Import another file
        </Button>
      )}
    </div>
  );
}

export const REMOVAL_QUESTION = "Remove this import with its figures? Figures that it replaced count again.";

interface RemoveReportsProps {
  import: EarningsImport;
  label: "Remove" | "Discard";
  question?: string;
  onDone?: () => void;
}

export function RemoveReports({ import: each, label, question, onDone }: RemoveReportsProps) {
  return (
    <Action
      call="DELETE /api/earnings/imports/:id"
      input={{ params: { id: each.id } }}
      label={label}
      {...(question !== undefined && { question, of: nameOfReports(each) })}
      gone="The import was removed before."
      {...(onDone && { onDone })}
    />
  );
}
