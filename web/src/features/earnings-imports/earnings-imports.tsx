import { useInfiniteQuery } from "@tanstack/react-query";
import type { EarningsImport } from "@tapthru/proto/earnings-imports";
import { EARNINGS_FILE_MAX_BYTES, EARNINGS_ROWS_MAX_COUNT } from "@tapthru/proto/rules/limits";
import { useEffect, useRef, useState } from "react";
import { useSearchParams } from "react-router-dom";
import { FileArea } from "../../components/file-area.tsx";
import { Card } from "../../components/ui/card.tsx";
import { ConfirmDialog } from "../../components/ui/dialog.tsx";
import { LoadingFailed } from "../../components/ui/empty-state.tsx";
import { Spinner } from "../../components/ui/spinner.tsx";
import { importsOptions, sendErrorMessage, useSendReports } from "./api.ts";
import { EarlierReports } from "./earlier-reports.tsx";
import { ReportsView } from "./reports-view.tsx";

/** Reads a file of Amazon's reports, shows what it has, stores it, and shows earlier imports. */
export function EarningsImports({ earningsPath }: { earningsPath: string }) {
  const { data: imports, isLoadingError, refetch, ...others } = useInfiniteQuery(importsOptions);
  const [parameters, setParameters] = useSearchParams();
  const chosenId = parameters.get("id");
  const choose = (id: string) => setParameters({ id }, { preventScrollReset: true });
  const shown = shownImport(imports, chosenId);
  const view = useFocusOfNewContent(imports && `${shown?.id} ${shown?.state}`);

  if (isLoadingError) {
    return <LoadingFailed message="Your imports could not be loaded." action="Try again" onAction={() => refetch()} />;
  }
  if (imports === undefined) return <Spinner label="Loading..." />;
  return (
    <div className="flex flex-col gap-5">
      <div ref={view} tabIndex={-1} className="rounded-2xl focus-visible:outline-2">
        {shown ? (
          <ReportsView key={shown.id} import={shown} earningsPath={earningsPath} onNew={() => choose("new")} />
        ) : (
          <FileForm open={imports.find(isOpen)} onSent={({ id }) => choose(id)} />
        )}
      </div>
      <EarlierReports
        imports={imports.filter(({ id }) => id !== shown?.id)}
        hasMore={others.hasNextPage}
        onMore={() => others.fetchNextPage()}
        onShow={choose}
      />
    </div>
  );
}

/** Whether it waits for the worker or the user. */
const isOpen = ({ state }: EarningsImport) => state === "reading" || state === "question" || state === "ready";

/** The import in the URL of the page, else one that waits for the worker or the user. `new`: the form. */
function shownImport(imports: EarningsImport[] | undefined, chosenId: string | null) {
  const chosen = imports?.find(({ id }) => id === chosenId);
  return chosen ?? (chosenId === "new" ? undefined : imports?.find(isOpen));
}

/** Moves the focus to new content if it replaced the focused element. @param content undefined: not loaded yet */
function useFocusOfNewContent(content: string | undefined) {
  const view = useRef<HTMLDivElement>(null);
  const previous = useRef(content);
  useEffect(() => {
    const isNew = previous.current !== undefined && previous.current !== content;
    previous.current = content;
    const isFocusLost = document.activeElement === document.body;
    if (isNew && isFocusLost) view.current?.focus({ preventScroll: true });
  }, [content]);
  return view;
}

interface FileFormProps {
  /** The import that a new file replaces. */
  open: EarningsImport | undefined;
  onSent: (created: EarningsImport) => void;
}

function FileForm({ open, onSent }: FileFormProps) {
  const [error, setError] = useState<string>();
  const [waiting, setWaiting] = useState<File>();
  const { mutate, isPending } = useSendReports(onSent);

  function send(file: File) {
    setError(undefined);
    mutate(file, { onError: (failure) => setError(sendErrorMessage(failure)) });
  }

  return (
    <Card title="Choose a file">
      <FileArea
        accept=".zip,.csv,.tsv,.txt,application/zip,text/csv,text/tab-separated-values,text/plain"
        label="Choose a ZIP, CSV or TSV file"
        hint={`Or drop it here. ${EARNINGS_FILE_MAX_BYTES / (1_024 * 1_024)} MB and ${EARNINGS_ROWS_MAX_COUNT.toLocaleString("en")} rows at most.`}
        pendingLabel="Sending..."
        isPending={isPending}
        onFile={open ? setWaiting : send}
      />
      {open && waiting && (
        <ConfirmDialog
          question={`${open.fileName ?? "Reports from Amazon"} is not stored. Discard it, and import the new file?`}
          confirmLabel="Discard and import"
          pending={false}
          onConfirm={() => {
            setWaiting(undefined);
            send(waiting);
          }}
          onClose={() => setWaiting(undefined)}
        />
      )}
      {error !== undefined && (
        <p role="alert" className="mt-4 font-medium text-danger">
          {error}
        </p>
      )}
      <p className="mt-4 text-md leading-6 text-pretty text-muted">
        Fee-Earnings, Fee-Orders, Fee-Tracking, Fee-DailyTrends and Bounty are read, alone or together in a ZIP. A later
        report of the same days and store replaces the earlier one, so you can import overlapping periods.
      </p>
    </Card>
  );
}
