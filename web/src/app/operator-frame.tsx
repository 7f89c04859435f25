import { lazy } from "react";
import { Outlet } from "react-router-dom";
import type { Tab } from "../components/ui/tab-links.tsx";
import { useSession } from "../features/session/session-context.tsx";
import { SectionFrame } from "./section-frame.tsx";

const NotFound = lazy(() => import("./routes/not-found.tsx"));

export function OperatorFrame({ tabs }: { tabs: readonly Tab[] }) {
  const { user } = useSession();
  if (!user?.isOperator) return <NotFound />;
  return (
    <SectionFrame label="For operators" tabs={tabs}>
      <Outlet />
    </SectionFrame>
  );
}
