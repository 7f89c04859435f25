import { messages } from "@tapthru/proto/rules/messages";
import { PageTitle } from "../../components/ui/page-title.tsx";
import { AccountRouting } from "../../features/routing/account-routing.tsx";
import { Stores } from "../../features/stores/stores.tsx";
import { usePageTitle } from "../../lib/use-page-title.ts";

export default function StoresPage() {
  usePageTitle(messages.stores);
  return (
    <div className="mx-auto w-full max-w-page px-4 pt-8 pb-16 sm:px-6 sm:pt-14">
      <PageTitle>{messages.stores}</PageTitle>
      <p className="mt-3 mb-6 max-w-2xl leading-6 text-pretty text-muted sm:mb-8">
        {messages.storesIntro}
      </p>
      <div className="flex flex-col gap-5">
        <Stores />
        <AccountRouting />
      </div>
    </div>
  );
}
