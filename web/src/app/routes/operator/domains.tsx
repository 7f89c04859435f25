import { messages } from "@tapthru/proto/rules/messages";
import { Page } from "../../../components/ui/page.tsx";
import { AllDomains } from "../../../features/operator/all-domains.tsx";

export default function DomainsPage() {
  return (
    <Page layout="section" title={messages.operatorTabs.domains}>
      <AllDomains />
    </Page>
  );
}
