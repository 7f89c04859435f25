import { Page } from "../../components/ui/page.tsx";
import { ReportImports } from "../../features/imports/reports/report-imports.tsx";

export default function EarningsImportPage() {
  return (
    <Page
      title="Import Amazon's reports"
      intro="In Amazon's Associates Central, open Reports and download them. Nothing counts before you have seen what the file has."
    >
      <ReportImports />
    </Page>
  );
}
