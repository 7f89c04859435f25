import { messages } from "@tapthru/proto/rules/messages";
import { Page } from "../../components/ui/page.tsx";
import { Sessions } from "../../features/account/sessions.tsx";
import { useLogOut } from "../use-log-out.ts";

export default function Security() {
  const logOut = useLogOut();
  return (
    <Page layout="section" title={messages.security}>
      <Sessions onLoggedOut={logOut} />
    </Page>
  );
}
