import { messages } from "@tapthru/proto/rules/messages";
import { Page } from "../../../components/ui/page.tsx";
import { Invitations } from "../../../features/operator/invitations.tsx";
import { LoginSettings } from "../../../features/operator/login-settings.tsx";

export default function SignUpPage() {
  return (
    <Page layout="section" title={messages.operatorTabs.signUp}>
      <LoginSettings />
      <Invitations />
    </Page>
  );
}
