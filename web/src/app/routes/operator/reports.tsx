import { Page } from "../../../components/ui/page.tsx";
import { Reports } from "../../../features/operator/reports.tsx";

export default function ReportsPage() {
  return (
    <Page layout="section" title="Reported links">
      <Reports />
    </Page>
  );
}
