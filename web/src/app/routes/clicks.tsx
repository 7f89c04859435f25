import { messages } from "@tapthru/proto/rules/messages";
import { PageTitle } from "../../components/ui/page-title.tsx";
import { Clicks } from "../../features/clicks/clicks.tsx";
import { LinkTitleLink } from "../../features/links/link-title-link.tsx";
import { usePageTitle } from "../../lib/use-page-title.ts";
import { paths } from "../paths.ts";

export default function ClicksPage() {
  usePageTitle(messages.clicks);
  return (
    <div className="mx-auto w-full max-w-page px-4 pt-8 pb-16 sm:px-6 sm:pt-14">
      <PageTitle>{messages.clicks}</PageTitle>
      <div className="mt-6 flex flex-col gap-4 sm:mt-8">
        <Clicks
          shortCode={null}
          renderLink={(shortCode) => (
            <LinkTitleLink shortCode={shortCode} to={paths.link(shortCode)} />
          )}
        />
      </div>
    </div>
  );
}
