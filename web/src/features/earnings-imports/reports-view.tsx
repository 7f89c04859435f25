import type { EarningsImport, EarningsReport } from "@tapthru/proto/http/earnings-imports";
import * as fileTexts from "@tapthru/proto/rules/messages/earnings-files";
import { CircleAlert } from "lucide-react";
import { Button, buttonClass } from "../../components/ui/button.tsx";
import { Card } from "../../components/ui/card.tsx";
import { Details } from "../../components/ui/details.tsx";
import { PageLink } from "../../components/ui/links.tsx";
import { Notice } from "../../components/ui/notice.tsx";
import { Spinner } from "../../components/ui/spinner.tsx";
import { formatNumber } from "../../lib/locale-formats.ts";
import { periodParameters, periodProblem } from "../../lib/period.ts";
import { storeName } from "../../lib/store-name.ts";
import { AnswerForm } from "./answer-form.tsx";
import { useRemoveReports, useStoreReports } from "./api.ts";
import { RemoveReports } from "./earlier-reports.tsx";
import { ReportList } from "./report-list.tsx";

interface ReportsViewProps {
  import: EarningsImport;
  earningsPath: string;
  /** Shows the form for another file. */
  onNew: () => void;
}

/** What a file has, and what the user can do with it. */
export function ReportsView({ import: shown, earningsPath, onNew }: ReportsViewProps) {
  const { fileName, state, question, refusal, reports, ignoredFiles } = shown;
  const hasReports = state === "ready" || state === "stored";
  return (
    <Card title={fileName ?? fileTexts.unnamedReportFile}>
      <div className="flex flex-col gap-5">
        {/* Announced when the state changes. */}
        <p role="status" className="text-base font-medium text-pretty empty:hidden">
          {STATE_TEXTS[state]}
        </p>
        {state === "reading" && <Spinner label={fileTexts.readingReports} />}
        {state === "question" && question !== null && (
          <AnswerForm import={shown} question={question} />
        )}
        {refusal !== null && <Refusal refusal={refusal} />}
        {hasReports && (
          <>
            <ReportList reports={reports} heading={headingOf(shown)} />
            {ignoredFiles.length > 0 && (
              <p className="text-sm text-pretty wrap-anywhere text-muted">
                {fileTexts.ignoredFiles(ignoredFiles.join(", "))}
              </p>
            )}
          </>
        )}
        <Actions import={shown} earningsPath={earningsPath} onNew={onNew} />
        {state === "ready" && (
          <Details summary={fileTexts.changeReading} openSummary={fileTexts.hideReading}>
            <AnswerForm import={shown} question={null} />
          </Details>
        )}
      </div>
    </Card>
  );
}

const STATE_TEXTS = {
  reading: fileTexts.readingReports,
  question: "",
  ready: fileTexts.reportsReady,
  stored: fileTexts.reportsStored,
  refused: fileTexts.reportsRefused,
};

function headingOf({ marketplace, storeId }: EarningsImport): string {
  const store = marketplace === null ? "" : storeName(marketplace);
  return storeId === ""
    ? fileTexts.reportsOfStore(store)
    : fileTexts.reportsOfAccount(store, storeId);
}

/** Why a file was refused, and the place in it. */
function Refusal({ refusal }: { refusal: NonNullable<EarningsImport["refusal"]> }) {
  const { reason, text } = refusal;
  const place = placeOf(refusal);
  return (
    <div className="flex flex-col gap-3">
      <Notice icon={CircleAlert}>{fileTexts.earningsRefusals[reason]}</Notice>
      {(place !== null || text !== null) && (
        <div className="rounded-xl bg-sunken px-4 py-3 wrap-anywhere">
          {place !== null && <p className="text-sm text-muted">{place}</p>}
          {text !== null && <code className="mt-1 block text-code">{text}</code>}
        </div>
      )}
    </div>
  );
}

function placeOf({ fileName, line }: NonNullable<EarningsImport["refusal"]>): string | null {
  const number = line === null ? null : formatNumber(line);
  if (fileName === null) return number === null ? null : fileTexts.refusedLine(number);
  return number === null
    ? fileTexts.refusedIn(fileName)
    : fileTexts.refusedInLine(fileName, number);
}

/** The parameters of the page of earnings for the days of the reports; none if they are too many. */
function periodOf(reports: readonly EarningsReport[]): string {
  const days = reports.flatMap(({ firstDay, lastDay }) => [firstDay, lastDay]).sort();
  const [from, to] = [days[0], days.at(-1)];
  if (from === undefined || to === undefined || periodProblem(from, to) !== null) return "";
  return `?${new URLSearchParams(periodParameters({ kind: "custom", from, to }))}`;
}

function Actions({
  import: { id, fileName, state, reports },
  earningsPath,
  onNew,
}: ReportsViewProps) {
  const store = useStoreReports(id);
  const remove = useRemoveReports(id);
  const isOpen = state === "question" || state === "ready" || state === "reading";
  return (
    <div className="flex flex-wrap gap-3">
      {state === "ready" && (
        <Button aria-disabled={store.isPending} onClick={() => store.mutate()}>
          {fileTexts.storeReports}
        </Button>
      )}
      {state === "stored" && (
        <>
          <PageLink to={earningsPath + periodOf(reports)} className={buttonClass()}>
            {fileTexts.yourEarnings}
          </PageLink>
          <RemoveReports id={id} name={fileName ?? fileTexts.unnamedReportFile} onRemoved={onNew} />
        </>
      )}
      {isOpen ? (
        <Button
          variant="outline"
          aria-disabled={remove.isPending}
          onClick={() => remove.mutate(undefined, { onSuccess: onNew })}
        >
          {fileTexts.discardReports}
        </Button>
      ) : (
        <Button variant={state === "refused" ? "primary" : "outline"} onClick={onNew}>
          {fileTexts.importOtherReports}
        </Button>
      )}
    </div>
  );
}
