import { messages } from "@tapthru/proto/rules/messages";
import { useSearchParams } from "react-router-dom";
import { FormCard } from "../../components/ui/form-card.tsx";
import { NarrowPage } from "../../components/ui/narrow-page.tsx";
import { ReportLink } from "../../features/report-link/report-link.tsx";
import { usePageTitle } from "../../lib/use-page-title.ts";

export default function Report() {
  usePageTitle(messages.reportLinkTitle);
  const [query] = useSearchParams();
  return (
    <NarrowPage title={messages.reportLinkTitle} text={messages.reportLinkText}>
      <FormCard>
        <ReportLink code={query.get("code")} />
      </FormCard>
    </NarrowPage>
  );
}
