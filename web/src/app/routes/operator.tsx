import { messages } from "@tapthru/proto/rules/messages";
import { Page } from "../../components/ui/page.tsx";
import { Invitations } from "../../features/operator/invitations.tsx";
import { LoginSettings } from "../../features/operator/login-settings.tsx";
import { useSession } from "../../features/session/session-context.tsx";
import NotFound from "./not-found.tsx";

export default function OperatorPage() {
  const { user } = useSession();
  if (user && !user.isOperator) return <NotFound />;
  return (
    <Page layout="section" title={messages.operatorTab}>
      <LoginSettings />
      <Invitations />
    </Page>
  );
}
