import { buttonClass } from "../../components/ui/button.tsx";
import { PageLink } from "../../components/ui/links.tsx";
import { Page } from "../../components/ui/page.tsx";
import { Earnings } from "../../features/earnings/earnings.tsx";
import { paths } from "../paths.ts";

export default function EarningsPage() {
  return (
    <Page
      title="Earnings"
      intro="What your links earned, by the reports of Amazon that you imported."
      action={
        <PageLink to={paths.earningsImport} className={buttonClass("outline")}>
          Import reports
        </PageLink>
      }
    >
      <Earnings />
    </Page>
  );
}
