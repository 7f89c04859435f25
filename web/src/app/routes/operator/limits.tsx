import { messages } from "@tapthru/proto/rules/messages";
import * as texts from "@tapthru/proto/rules/messages/operator-system";
import { Page } from "../../../components/ui/page.tsx";
import { Limits } from "../../../features/operator-system/limits.tsx";

export default function LimitsPage() {
  return (
    <Page layout="section" title={messages.operatorTabs.limits} intro={texts.limitsIntro}>
      <Limits />
    </Page>
  );
}
