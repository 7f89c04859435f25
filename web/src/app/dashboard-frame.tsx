import { messages } from "@tapthru/proto/rules/messages";
import { Plus } from "lucide-react";
import type { ReactNode } from "react";
import { useNavigate } from "react-router-dom";
import { Button } from "../components/ui/button.tsx";
import { PageTitle } from "../components/ui/page-title.tsx";
import { useNavigateOnce } from "../lib/use-navigate-once.ts";
import { usePageTitle } from "../lib/use-page-title.ts";
import { paths } from "./paths.ts";

/** The head of the dashboard. It is shown before its list has loaded, and keeps the focus then. */
export function DashboardFrame({ children }: { children: ReactNode }) {
  usePageTitle(messages.yourLinks);
  const navigate = useNavigate();
  const navigateOnce = useNavigateOnce();
  return (
    <div className="mx-auto w-full max-w-page px-4 pt-8 pb-16 sm:px-6 sm:pt-14">
      <div className="mb-6 flex flex-wrap items-center justify-between gap-3 sm:mb-8">
        <PageTitle>{messages.yourLinks}</PageTitle>
        <Button onClick={() => navigateOnce(() => navigate(paths.linkCreation))}>
          <Plus aria-hidden className="size-4" />
          {messages.createLink}
        </Button>
      </div>
      {children}
    </div>
  );
}
