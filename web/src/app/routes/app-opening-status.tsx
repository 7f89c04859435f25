import { messages } from "@tapthru/proto/rules/messages";
import { PageTitle } from "../../components/ui/page-title.tsx";
import { AppOpeningStatus } from "../../features/app-opening-status/app-opening-status.tsx";
import { usePageTitle } from "../../lib/use-page-title.ts";

export default function AppOpeningStatusPage() {
  usePageTitle(messages.openingStatusTitle);
  return (
    <div className="mx-auto w-full max-w-page px-4 pt-8 pb-16 sm:px-6 sm:pt-14">
      <PageTitle>{messages.openingStatusTitle}</PageTitle>
      <p className="mt-3 mb-6 max-w-2xl leading-6 text-pretty text-muted sm:mb-8">
        {messages.openingStatusIntro}
      </p>
      <AppOpeningStatus />
    </div>
  );
}
