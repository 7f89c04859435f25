import { messages } from "@tapthru/proto/rules/messages";
import { Page } from "../../components/ui/page.tsx";
import { AccountRouting } from "../../features/routing/account-routing.tsx";
import { Stores } from "../../features/stores/stores.tsx";

export default function StoresPage() {
  return (
    <Page title={messages.stores} intro={messages.storesIntro}>
      <div className="flex flex-col gap-5">
        <Stores />
        <AccountRouting />
      </div>
    </Page>
  );
}
