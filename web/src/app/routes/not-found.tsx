import { messages } from "@tapthru/proto/rules/messages";
import { buttonClass } from "../../components/ui/button.tsx";
import { PageLink } from "../../components/ui/links.tsx";
import { PageTitle } from "../../components/ui/page.tsx";
import { usePageTitle } from "../../lib/use-page-title.ts";
import { paths } from "../paths.ts";

export default function NotFound() {
  usePageTitle(messages.notFoundTitle);
  return (
    <section className="flex flex-1 flex-col items-center justify-center gap-3 p-6 text-center">
      <PageTitle>{messages.notFoundTitle}</PageTitle>
      <p className="text-muted">{messages.notFoundText}</p>
      <PageLink to={paths.home} className={`${buttonClass("primary")} mt-4`}>
        {messages.backToHome}
      </PageLink>
    </section>
  );
}
