import { messages } from "@tapthru/proto/rules/messages";
import { Page } from "../../../components/ui/page.tsx";

export default function ActivityPage() {
  return (
    <Page layout="section" title={messages.operatorTabs.activity}>
      {null}
    </Page>
  );
}
