import { Page } from "../../../components/ui/page.tsx";
import { AllDomains } from "../../../features/operator/all-domains.tsx";

export default function DomainsPage() {
  return (
    <Page layout="section" title="Domains">
      <AllDomains />
    </Page>
  );
}
