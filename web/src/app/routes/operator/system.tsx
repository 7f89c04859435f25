import { messages } from "@tapthru/proto/rules/messages";
import * as texts from "@tapthru/proto/rules/messages/operator-system";
import { Page } from "../../../components/ui/page.tsx";
import { System } from "../../../features/operator-system/system.tsx";

export default function SystemPage() {
  return (
    <Page layout="section" title={messages.operatorTabs.system} intro={texts.systemIntro}>
      <System />
    </Page>
  );
}
