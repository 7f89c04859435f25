import { paths } from "@tapthru/proto/rules/paths";
import { Plus } from "lucide-react";
import type { ReactNode } from "react";
import { useNavigate } from "react-router-dom";
import { Button } from "../components/ui/button.tsx";
import { SkipLink } from "../components/ui/links.tsx";
import { Page } from "../components/ui/page.tsx";
import { Composer } from "../features/links/create/composer.tsx";
import { useCreateLinks } from "../features/links/create/use-create-links.ts";
import { May } from "../kit/may.tsx";
import { LINKS_ID } from "../lib/link-lists.ts";

/** The head of the dashboard. It is shown before its list has loaded, and keeps the focus and pasted links then. */
export function DashboardFrame({ children }: { children: ReactNode }) {
  const navigate = useNavigate();
  const links = useCreateLinks();
  return (
    <>
      <SkipLink to={LINKS_ID}>Skip to your links</SkipLink>
      <Page
        title="Your Links"
        intro={
          <May call="POST /api/links">
            <span className="hidden sm:pointer-fine:inline">
              Paste an Amazon link anywhere on this page to shorten it.
            </span>
          </May>
        }
        action={
          <May call="POST /api/links">
            <Button onClick={({ detail }) => detail < 2 && navigate(paths.linkCreation)}>
              <Plus aria-hidden className="size-4" />
              Create link
            </Button>
          </May>
        }
      >
        <div className="mb-4">
          <Composer links={links} placeholder="Paste your Amazon links here..." options="later" pathOf={paths.link} />
        </div>
        {children}
      </Page>
    </>
  );
}
