import * as texts from "@tapthru/proto/rules/messages/operator-console";
import { Page } from "../../../components/ui/page.tsx";
import { Reports } from "../../../features/operator/reports.tsx";

export default function ReportsPage() {
  return (
    <Page layout="section" title={texts.reportedLinks}>
      <Reports />
    </Page>
  );
}
