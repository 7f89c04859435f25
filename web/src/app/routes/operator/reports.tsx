import { messages } from "@tapthru/proto/rules/messages";
import { Page } from "../../../components/ui/page.tsx";
import { Reports } from "../../../features/operator/reports.tsx";

export default function ReportsPage() {
  return (
    <Page layout="section" title={messages.reportedLinks}>
      <Reports />
    </Page>
  );
}
