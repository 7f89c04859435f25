import { paths } from "@tapthru/proto/rules/paths";
import { buttonClass } from "../../components/ui/button.tsx";
import { PageLink } from "../../components/ui/links.tsx";
import { PageTitle } from "../../components/ui/page.tsx";
import { usePageTitle } from "../../lib/use-page-title.ts";

export default function NotFound() {
  usePageTitle("404 Page Not Found");
  return (
    <section className="flex flex-1 flex-col items-center justify-center gap-3 p-6 text-center">
      <PageTitle>404 Page Not Found</PageTitle>
      <p className="text-muted">Did you forget to add the page to the router?</p>
      <PageLink to={paths.home} className={`${buttonClass("primary")} mt-4`}>
        Back to the start page
      </PageLink>
    </section>
  );
}
