import { messages } from "@tapthru/proto/rules/messages";
import { PageTitle } from "../../components/ui/page-title.tsx";
import { Imports } from "../../features/imports/imports.tsx";
import { usePageTitle } from "../../lib/use-page-title.ts";
import { paths } from "../paths.ts";

export default function ImportPage() {
  usePageTitle(messages.importLinks);
  return (
    <div className="mx-auto w-full max-w-page px-4 pt-8 pb-16 sm:px-6 sm:pt-14">
      <PageTitle>{messages.importLinks}</PageTitle>
      <p className="mt-3 mb-6 max-w-2xl leading-6 text-pretty text-muted sm:mb-8">
        {messages.importIntro}
      </p>
      <Imports linksPath={paths.dashboard} />
    </div>
  );
}
