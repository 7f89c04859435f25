import { messages } from "@tapthru/proto/rules/messages";
import { useSearchParams } from "react-router-dom";
import { FormCard, NarrowPage } from "../../components/ui/narrow-page.tsx";
import { ReportLink } from "../../features/report-link/report-link.tsx";

export default function Report() {
  const [query] = useSearchParams();
  return (
    <NarrowPage title={messages.reportLinkTitle} text={messages.reportLinkText}>
      <FormCard>
        <ReportLink code={query.get("code")} />
      </FormCard>
    </NarrowPage>
  );
}
