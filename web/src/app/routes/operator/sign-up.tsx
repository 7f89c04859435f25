import { Page } from "../../../components/ui/page.tsx";
import { Invitations } from "../../../features/operator/invitations.tsx";
import { LoginSettings } from "../../../features/operator/login-settings.tsx";

export default function SignUpPage() {
  return (
    <Page layout="section" title="Sign-up">
      <LoginSettings />
      <Invitations />
    </Page>
  );
}
