import { paths } from "@tapthru/proto/rules/paths";
import { buttonClass, textLinkClass } from "../../components/ui/button.tsx";
import { PageLink } from "../../components/ui/links.tsx";
import { May } from "../../kit/may.tsx";

/** Nothing for users whose role does not allow it. */
export function ImportReportsLink({ className = buttonClass("outline") }: { className?: string }) {
  return (
    <May call="POST /api/earnings/imports">
      <PageLink to={paths.earningsImport} className={className}>
        Import reports
      </PageLink>
    </May>
  );
}

/** Shown while there are no reports. @param children what Amazon's reports say */
export function NeedsReports({ children }: { children: string }) {
  return (
    <May call="POST /api/earnings/imports" what="import Amazon's reports">
      <p className="leading-6 text-pretty text-muted">
        {children} <ImportReportsLink className={textLinkClass} />
      </p>
    </May>
  );
}
