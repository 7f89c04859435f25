import { messages } from "@tapthru/proto/rules/messages";
import { Page } from "../../../components/ui/page.tsx";

export default function UsersPage() {
  return (
    <Page layout="section" title={messages.operatorTabs.users}>
      {null}
    </Page>
  );
}
