import { messages } from "@tapthru/proto/rules/messages";
import { Page } from "../../components/ui/page.tsx";
import { OwnData } from "../../features/account/own-data.tsx";
import { DeleteAccount } from "../../features/session/profile/delete-account.tsx";
import { useSession } from "../../features/session/session-context.tsx";
import { useLogOut } from "../use-log-out.ts";

export default function OwnDataPage() {
  const { user } = useSession();
  const logOut = useLogOut(messages.accountDeleted);
  return (
    <Page layout="section" title="Your data">
      <OwnData />
      {user && <DeleteAccount email={user.email} onDeleted={logOut} />}
    </Page>
  );
}
