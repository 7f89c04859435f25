import type { EarningsImport, EarningsReport } from "@tapthru/proto/earnings-imports";
import { useState } from "react";
import { Button, textLinkClass } from "../../components/ui/button.tsx";
import { Card } from "../../components/ui/card.tsx";
import { ConfirmButton } from "../../components/ui/dialog.tsx";
import { formatMinute, formatUtcDays } from "../../lib/dates.ts";
import { formatNumber } from "../../lib/locale-formats.ts";
import { useRemoveReports } from "./api.ts";
import { REPORT_KIND_NAMES } from "./report-list.tsx";

const EARNINGS_IMPORT_STATES = {
  reading: "being read",
  question: "has a question",
  ready: "not stored",
  stored: "stored",
  refused: "refused",
} as const;

/** How much of a stored report counts. */
const countedReport = (report: string, counted: number, all: number) => {
  if (counted === all) return `${report}: counts`;
  return counted === 0
    ? `${report}: replaced, no longer counts`
    : `${report}: counts for ${counted} of ${all} days, the others are replaced`;
};

interface EarlierReportsProps {
  /** Newest first. */
  imports: readonly EarningsImport[];
  hasMore: boolean;
  onMore: () => void;
  onShow: (id: string) => void;
}

export function EarlierReports({ imports, hasMore, onMore, onShow }: EarlierReportsProps) {
  const [showsAll, setShowsAll] = useState(false);
  if (imports.length === 0) return null;
  const shown = showsAll ? imports : imports.slice(0, FEW_IMPORTS);
  return (
    <Card title="Earlier imports">
      <ul className="divide-y divide-line">
        {shown.map((each) => (
          <Earlier key={each.id} import={each} onShow={onShow} />
        ))}
      </ul>
      {imports.length > FEW_IMPORTS && (
        <button type="button" className={`${textLinkClass} mt-3 text-sm`} onClick={() => setShowsAll(!showsAll)}>
          {showsAll ? "Show less" : `Show all ${formatNumber(imports.length)}`}
        </button>
      )}
      {showsAll && hasMore && (
        <button type="button" className={`${textLinkClass} mt-3 ml-5 text-sm`} onClick={onMore}>
          Show more
        </button>
      )}
    </Card>
  );
}

const FEW_IMPORTS = 8;

interface EarlierProps {
  import: EarningsImport;
  onShow: (id: string) => void;
}

function Earlier({ import: each, onShow }: EarlierProps) {
  const { id, fileName, state, marketplace, storeId, createdAt, reports } = each;
  const name = fileName ?? "Reports from Amazon";
  const details = [
    formatMinute(createdAt),
    marketplace === null ? [] : `amazon.${marketplace}`,
    storeId === "" ? [] : storeId,
    EARNINGS_IMPORT_STATES[state],
  ].flat();
  return (
    <li className="flex flex-wrap items-center justify-between gap-3 py-3 first:pt-0">
      <div className="min-w-0">
        <p className="font-medium wrap-anywhere">{name}</p>
        <p className="mt-0.5 text-sm text-muted">{details.join(", ")}</p>
        {reports.length > 0 && (
          <ul className="mt-1 text-sm text-pretty">
            {reports.map((report) => (
              <li key={`${report.fileName} ${report.kind} ${report.firstDay}`}>{reportText(report, state)}</li>
            ))}
          </ul>
        )}
      </div>
      <div className="flex flex-wrap gap-2">
        <Button variant="outline" aria-label={`Show ${name}`} onClick={() => onShow(id)}>
          Show
        </Button>
        <RemoveReports id={id} name={name} />
      </div>
    </li>
  );
}

/** What a report has, and how many of its days count. Reports of tracking ids are compared as a whole. */
function reportText(report: EarningsReport, state: EarningsImport["state"]): string {
  const { kind, firstDay, lastDay, countedDayCount } = report;
  const text = `${REPORT_KIND_NAMES[kind]}, ${formatUtcDays(firstDay, lastDay)}`;
  if (state !== "stored" || kind === "tracking") return text;
  const days = (Date.parse(lastDay) - Date.parse(firstDay)) / DAY_MS + 1;
  return countedReport(text, countedDayCount, days);
}

const DAY_MS = 86_400_000;

interface RemoveReportsProps {
  id: string;
  name: string;
  onRemoved?: () => void;
}

/** A button that removes an import with its figures, after a confirmation. */
export function RemoveReports({ id, name, onRemoved }: RemoveReportsProps) {
  const remove = useRemoveReports(id);
  return (
    <ConfirmButton
      label="Remove"
      name={`Remove ${name}`}
      pendingLabel="Removing..."
      question="Remove this import with its figures? Figures that it replaced count again."
      variant="outline"
      isPending={remove.isPending}
      onConfirm={(close) => remove.mutate(undefined, { onSuccess: onRemoved ?? close, onError: close })}
    />
  );
}
