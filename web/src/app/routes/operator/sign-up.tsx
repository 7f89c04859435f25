import * as texts from "@tapthru/proto/rules/messages/operator-console";
import { Page } from "../../../components/ui/page.tsx";
import { Invitations } from "../../../features/operator/invitations.tsx";
import { LoginSettings } from "../../../features/operator/login-settings.tsx";

export default function SignUpPage() {
  return (
    <Page layout="section" title={texts.operatorTabs.signUp}>
      <LoginSettings />
      <Invitations />
    </Page>
  );
}
