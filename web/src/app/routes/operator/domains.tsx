import { messages } from "@tapthru/proto/rules/messages";
import { Page } from "../../../components/ui/page.tsx";

export default function DomainsPage() {
  return (
    <Page layout="section" title={messages.operatorTabs.domains}>
      {null}
    </Page>
  );
}
