import { messages } from "@tapthru/proto/rules/messages";
import { Page } from "../../components/ui/page.tsx";
import { DeleteAccount, OwnData } from "../../features/account/delete-account.tsx";
import { useLoginRenewal } from "../../features/session/profile/password-form.tsx";
import { useSession } from "../../features/session/session-context.tsx";
import { useLogOut } from "../use-log-out.ts";

export default function OwnDataPage() {
  const { user } = useSession();
  const renewLogin = useLoginRenewal();
  const logOut = useLogOut(messages.accountDeleted);
  return (
    <Page layout="section" title={messages.yourData}>
      <OwnData />
      {user && <DeleteAccount email={user.email} renewLogin={renewLogin} onDeleted={logOut} />}
    </Page>
  );
}
