import * as consoleTexts from "@tapthru/proto/rules/messages/operator-console";
import * as texts from "@tapthru/proto/rules/messages/operator-system";
import { Page } from "../../../components/ui/page.tsx";
import { System } from "../../../features/operator-system/system.tsx";

export default function SystemPage() {
  return (
    <Page layout="section" title={consoleTexts.operatorTabs.system} intro={texts.systemIntro}>
      <System />
    </Page>
  );
}
