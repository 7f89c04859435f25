import * as consoleTexts from "@tapthru/proto/rules/messages/operator-console";
import * as texts from "@tapthru/proto/rules/messages/operator-system";
import { Page } from "../../../components/ui/page.tsx";
import { Limits } from "../../../features/operator-system/limits.tsx";

export default function LimitsPage() {
  return (
    <Page layout="section" title={consoleTexts.operatorTabs.limits} intro={texts.limitsIntro}>
      <Limits />
    </Page>
  );
}
