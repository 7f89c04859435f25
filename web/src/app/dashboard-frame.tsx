import { paths } from "@tapthru/proto/rules/paths";
import { Plus } from "lucide-react";
import type { ReactNode } from "react";
import { useNavigate } from "react-router-dom";
import { Button } from "../components/ui/button.tsx";
import { SkipLink } from "../components/ui/links.tsx";
import { PageTitle } from "../components/ui/page.tsx";
import { Composer } from "../features/links/create/composer.tsx";
import { useCreateLinks } from "../features/links/create/use-create-links.ts";
import { Can } from "../kit/can.tsx";
import { LINKS_ID } from "../lib/link-lists.ts";
import { usePageTitle } from "../lib/use-page-title.ts";

/** The head of the dashboard. It is shown before its list has loaded, and keeps the focus and pasted links then. */
export function DashboardFrame({ children }: { children: ReactNode }) {
  const navigate = useNavigate();
  const links = useCreateLinks();
  usePageTitle("Your Links");
  return (
    <>
      <SkipLink to={LINKS_ID}>Skip to your links</SkipLink>
      <div className="mx-auto w-full max-w-page px-4 pt-3 pb-16 sm:px-6">
        <div className="mb-2 flex flex-wrap items-center justify-between gap-x-2 gap-y-3 lg:mb-0 lg:flex-nowrap lg:items-start lg:gap-x-4 lg:*:min-h-14">
          <div className="flex items-center">
            <PageTitle>Your Links</PageTitle>
          </div>
          <div className="order-last min-w-0 basis-full lg:order-none lg:flex-1 lg:basis-0">
            <Composer links={links} placeholder="Paste your Amazon links here..." options="later" pathOf={paths.link} />
          </div>
          <Can call="POST /api/links">
            <div className="flex items-center">
              <Button shape="bar" onClick={({ detail }) => detail < 2 && navigate(paths.linkCreation)}>
                <Plus aria-hidden className="size-4" />
                Create link
              </Button>
            </div>
          </Can>
        </div>
        {children}
      </div>
    </>
  );
}
