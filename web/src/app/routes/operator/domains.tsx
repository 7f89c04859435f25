import * as texts from "@tapthru/proto/rules/messages/operator-console";
import { Page } from "../../../components/ui/page.tsx";
import { AllDomains } from "../../../features/operator/all-domains.tsx";

export default function DomainsPage() {
  return (
    <Page layout="section" title={texts.operatorTabs.domains}>
      <AllDomains />
    </Page>
  );
}
