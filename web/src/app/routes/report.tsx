import { messages } from "@tapthru/proto/rules/messages";
import { useSearchParams } from "react-router-dom";
import { PageTitle } from "../../components/ui/page-title.tsx";
import { ReportLink } from "../../features/report-link/report-link.tsx";
import { usePageTitle } from "../../lib/use-page-title.ts";

export default function Report() {
  usePageTitle(messages.reportLinkTitle);
  const [query] = useSearchParams();
  return (
    <div className="mx-auto w-full max-w-lg px-4 pt-8 pb-16 sm:px-6 sm:pt-20">
      <div className="text-center">
        <PageTitle size="small">{messages.reportLinkTitle}</PageTitle>
      </div>
      <p className="mt-2 mb-6 text-center leading-6 text-pretty text-muted">
        {messages.reportLinkText}
      </p>
      <div className="rounded-2xl border border-line bg-surface p-5 shadow-card sm:p-8">
        <ReportLink code={query.get("code")} />
      </div>
    </div>
  );
}
