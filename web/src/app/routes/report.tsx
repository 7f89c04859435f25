import { messages } from "@tapthru/proto/rules/messages";
import { useSearchParams } from "react-router-dom";
import { NarrowPage } from "../../components/ui/narrow-page.tsx";
import { ReportLink } from "../../features/report-link/report-link.tsx";
import { usePageTitle } from "../../lib/use-page-title.ts";

export default function Report() {
  usePageTitle(messages.reportLinkTitle);
  const [query] = useSearchParams();
  return (
    <NarrowPage title={messages.reportLinkTitle} text={messages.reportLinkText}>
      <div className="rounded-2xl border border-line bg-surface p-5 shadow-card sm:p-8">
        <ReportLink code={query.get("code")} />
      </div>
    </NarrowPage>
  );
}
