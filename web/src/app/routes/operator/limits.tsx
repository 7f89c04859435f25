import { messages } from "@tapthru/proto/rules/messages";
import { Page } from "../../../components/ui/page.tsx";

export default function LimitsPage() {
  return (
    <Page layout="section" title={messages.operatorTabs.limits}>
      {null}
    </Page>
  );
}
