import { infiniteQueryOptions, useInfiniteQuery, useQueryClient } from "@tanstack/react-query";
import { type EarningsImport, type EarningsReport, earningsFileTooLarge } from "@tapthru/proto/earnings-imports";
import { EARNINGS_FILE_MAX_BYTES, EARNINGS_ROWS_MAX_COUNT } from "@tapthru/proto/rules/limits";
import { useEffect, useRef, useState } from "react";
import * as z from "zod/mini";
import { FileArea } from "../../../components/file-area.tsx";
import { Button } from "../../../components/ui/button.tsx";
import { Card } from "../../../components/ui/card.tsx";
import { Loaded, NextPage } from "../../../components/ui/loaded.tsx";
import { Can } from "../../../kit/can.tsx";
import { useCall } from "../../../kit/use-call.ts";
import { formatMinute, formatUtcDays } from "../../../lib/dates.ts";
import { useFocusAfterChange } from "../../../lib/focus.ts";
import { pollDelay } from "../../../lib/http/query-presets.ts";
import { formatNumber } from "../../../lib/locale-formats.ts";
import { useUrlState } from "../../../lib/use-url-state.ts";
import { earningsImportsOptions } from "../../earnings/index.ts";
import { ImportTabs } from "../imports.tsx";
import { REPORT_KIND_NAMES } from "./report-list.tsx";
import { nameOfReports, REMOVAL_QUESTION, RemoveReports, ReportsView } from "./reports-view.tsx";

const importsOptions = infiniteQueryOptions({
  ...earningsImportsOptions,
  refetchInterval({ state: { data, error } }) {
    const reading = data?.pages.flat().find(({ state }) => state === "reading");
    return reading ? pollDelay(reading.createdAt, error) : false;
  },
});

/** The id of an import, or `new` for the form. */
const ImportsView = z.object({ id: z.catch(z.string(), "") });

const FAILED = "Your imports could not be loaded.";

export function ReportImports() {
  const query = useInfiniteQuery(importsOptions);
  const imports = query.data;
  const [{ id: chosenId }, change] = useUrlState(ImportsView);
  const choose = (id: string) => change({ id }, false);
  const open = imports?.find(({ state }) => state === "reading" || state === "question" || state === "ready");
  const shown = imports?.find(({ id }) => id === chosenId) ?? (chosenId === "" ? open : undefined);
  const earlier = imports?.filter(({ id }) => id !== shown?.id) ?? [];
  const content = useRef<HTMLDivElement>(null);
  useFocusAfterChange(imports && `${shown?.state}`, content);
  // Another one is shown from its beginning.
  useFocusAfterChange(imports && `${shown?.id}`, content, false);

  // It stays when it is no longer open.
  const openId = open?.id;
  useEffect(() => {
    // React cannot render at once within an effect.
    if (chosenId === "" && openId !== undefined) queueMicrotask(() => change({ id: openId }));
  }, [chosenId, openId, change]);

  return (
    <div className="flex flex-col gap-5">
      <ImportTabs />
      <Loaded data={imports} query={query} failed={FAILED}>
        {() => (
          <>
            <div ref={content} tabIndex={-1} className="flex flex-col gap-5 rounded-2xl focus-visible:outline-2">
              {shown ? (
                <ReportsView key={shown.id} import={shown} onNew={() => choose("new")} />
              ) : (
                <Can call="POST /api/earnings/imports" what="import files">
                  <FileForm onSent={choose} />
                </Can>
              )}
            </div>
            {earlier.length > 0 && (
              <Card title="Earlier imports">
                <ul className="divide-y divide-line">
                  {earlier.map((each) => (
                    <EarlierReports key={each.id} import={each} onShow={() => choose(each.id)} />
                  ))}
                </ul>
                <NextPage list={query} failed={FAILED} />
              </Card>
            )}
          </>
        )}
      </Loaded>
    </div>
  );
}

const STATES = {
  reading: "being read",
  question: "has a question",
  ready: "not stored",
  stored: "stored",
  refused: "refused",
} as const;

function EarlierReports({ import: each, onShow }: { import: EarningsImport; onShow: () => void }) {
  const { state, marketplace, storeId, createdAt, reports } = each;
  const store = marketplace === null ? [] : `amazon.${marketplace}`;
  const name = nameOfReports(each);
  return (
    <li className="flex flex-wrap items-center justify-between gap-3 py-3 first:pt-0">
      <div className="min-w-0">
        <p className="font-medium wrap-anywhere">{name}</p>
        <p className="mt-0.5 text-sm text-muted">
          {[formatMinute(createdAt), store, storeId || [], STATES[state]].flat().join(", ")}
        </p>
        {reports.length > 0 && (
          <ul className="mt-1 text-sm text-pretty">
            {reports.map((report) => (
              <li key={`${report.fileName} ${report.kind} ${report.firstDay}`}>{reportText(report, state)}</li>
            ))}
          </ul>
        )}
      </div>
      <div className="flex flex-wrap gap-2">
        <Button variant="outline" aria-label={`Show ${name}`} onClick={onShow}>
          Show
        </Button>
        <RemoveReports import={each} label="Remove" question={REMOVAL_QUESTION} />
      </div>
    </li>
  );
}

const DAY_MS = 86_400_000;

/** Says what a report has, and how many of its days count. Reports of tracking ids are compared as a whole. */
function reportText(report: EarningsReport, state: EarningsImport["state"]): string {
  const { kind, firstDay, lastDay, countedDayCount: counted } = report;
  const text = `${REPORT_KIND_NAMES[kind]}, ${formatUtcDays(firstDay, lastDay)}`;
  if (state !== "stored" || kind === "tracking") return text;
  const days = (Date.parse(lastDay) - Date.parse(firstDay)) / DAY_MS + 1;
  if (counted === days) return `${text}: counts`;
  return counted === 0
    ? `${text}: replaced, no longer counts`
    : `${text}: counts for ${counted} of ${days} days, the others are replaced`;
}

/** For 50 MB over a slow connection. */
const UPLOAD_TIMEOUT_MS = 1_800_000;

const NAME_MAX_LENGTH = 200;

/** Names of files may have line breaks, and cutting may divide a character; the api refuses both. */
function sendableName(name: string): string {
  return name.slice(0, NAME_MAX_LENGTH).replaceAll(/[\p{Cc}\p{Cs}\p{Zl}\p{Zp}]/gu, " ");
}

/** @param onSent not called after the page was left */
function FileForm({ onSent }: { onSent: (id: string) => void }) {
  const [error, setError] = useState<string>();
  const queryClient = useQueryClient();
  const { call, isPending } = useCall("POST /api/earnings/imports", {
    // The list may be read slowly.
    apply: (created) =>
      queryClient.setQueryData(earningsImportsOptions.queryKey, (list) => {
        const [first = [], ...others] = list?.pages ?? [];
        const isNew = first.every(({ id }) => id !== created.id);
        return list && isNew ? { ...list, pages: [[created, ...first], ...others] } : list;
      }),
  });

  function send(file: File) {
    setError(file.size > EARNINGS_FILE_MAX_BYTES ? earningsFileTooLarge.message : undefined);
    if (file.size > EARNINGS_FILE_MAX_BYTES) return;
    const headers = { "Content-Type": "application/octet-stream" };
    call(
      { query: { name: sendableName(file.name) }, file, headers, timeoutMs: UPLOAD_TIMEOUT_MS },
      { onDone: (created) => created && onSent(created.id), onFailed: setError },
    );
  }

  return (
    <Card title="Choose a file">
      <FileArea
        accept=".zip,.csv,.tsv,.txt,application/zip,text/csv,text/tab-separated-values,text/plain"
        label="Choose a ZIP, CSV or TSV file"
        hint={`Or drop it here. ${EARNINGS_FILE_MAX_BYTES / (1_024 * 1_024)} MB and ${formatNumber(EARNINGS_ROWS_MAX_COUNT)} rows at most.`}
        pending={isPending ? "Sending..." : undefined}
        error={error}
        onFiles={([file]) => send(file)}
      />
      <p className="mt-4 text-md leading-6 text-pretty text-muted">
        Fee-Earnings, Fee-Orders, Fee-Tracking, Fee-DailyTrends and Bounty are read, alone or together in a ZIP. A later
        report of the same days and store replaces the earlier one, so you can import overlapping periods.
      </p>
    </Card>
  );
}
