import { messages } from "@tapthru/proto/rules/messages";
import { useSearchParams } from "react-router-dom";
import { FormCard, Page } from "../../components/ui/page.tsx";
import { ReportLink } from "../../features/report-link/report-link.tsx";

export default function Report() {
  const [query] = useSearchParams();
  return (
    <Page layout="narrow" title={messages.reportLinkTitle} intro={messages.reportLinkText}>
      <FormCard>
        <ReportLink code={query.get("code")} />
      </FormCard>
    </Page>
  );
}
