import { useSearchParams } from "react-router-dom";
import { FormCard, Page } from "../../components/ui/page.tsx";
import { ReportLink } from "../../features/report-link/report-link.tsx";

export default function Report() {
  const [query] = useSearchParams();
  return (
    <Page
      layout="narrow"
      title="Report a link"
      intro="Report a short link that breaks the rules. Reports are anonymous."
    >
      <FormCard>
        <ReportLink code={query.get("code")} />
      </FormCard>
    </Page>
  );
}
