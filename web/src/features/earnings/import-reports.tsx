import type { ReportDays } from "@tapthru/proto/earnings";
import { paths } from "@tapthru/proto/rules/paths";
import { buttonClass, textLinkClass } from "../../components/ui/button.tsx";
import { PageLink } from "../../components/ui/links.tsx";
import { Can } from "../../kit/can.tsx";
import { formatDays, formatUtcMonth } from "../../lib/dates.ts";

/** Nothing for users whose role does not allow it. */
export function ImportReportsLink({ className = buttonClass("outline"), text = "Import reports" }) {
  return (
    <Can call="POST /api/earnings/imports">
      <PageLink to={paths.earningsImport} className={className}>
        {text}
      </PageLink>
    </Can>
  );
}

/** Shown while there are no reports. @param children what Amazon's reports say */
export function NeedsReports({ children }: { children: string }) {
  return (
    <Can call="POST /api/earnings/imports" what="import Amazon's reports">
      <p className="leading-6 text-pretty text-muted">
        {children} <ImportReportsLink className={textLinkClass} />
      </p>
    </Can>
  );
}

/** The first days that no report has, with the way to import them; nothing if reports are up to date. */
export function MissingReports({ missing }: Pick<ReportDays, "missing">) {
  if (missing === null) return null;
  const { marketplace, from, to } = missing;
  return (
    <p className="rounded-lg bg-notice px-3 py-1.5 text-sm text-pretty text-notice-ink">
      {`The reports of amazon.${marketplace} lack ${formatDays(from, to)}. `}
      <ImportReportsLink className="font-medium underline" text={`Import ${formatUtcMonth(from)}`} />
    </p>
  );
}
