import { messages } from "@tapthru/proto/rules/messages";
import { Page } from "../../../components/ui/page.tsx";

export default function SystemPage() {
  return (
    <Page layout="section" title={messages.operatorTabs.system}>
      {null}
    </Page>
  );
}
