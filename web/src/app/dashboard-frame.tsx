import { Plus } from "lucide-react";
import type { ReactNode } from "react";
import { useNavigate } from "react-router-dom";
import { Button } from "../components/ui/button.tsx";
import { Page } from "../components/ui/page.tsx";
import { paths } from "./paths.ts";

/** The head of the dashboard. It is shown before its list has loaded, and keeps the focus then. */
export function DashboardFrame({ children }: { children: ReactNode }) {
  const navigate = useNavigate();
  return (
    <Page
      layout="wide"
      title="Your Links"
      intro={
        <span className="hidden sm:pointer-fine:inline">Paste an Amazon link anywhere on this page to shorten it.</span>
      }
      action={
        <Button onClick={({ detail }) => detail < 2 && navigate(paths.linkCreation)}>
          <Plus aria-hidden className="size-4" />
          Create link
        </Button>
      }
    >
      {children}
    </Page>
  );
}
