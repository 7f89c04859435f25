import { type QueryKey, useQueryClient } from "@tanstack/react-query";
import { messages } from "@tapthru/proto/rules/messages";
import { lazy, useSyncExternalStore } from "react";
import { Route, Routes } from "react-router-dom";
import { LoadingFailed } from "../components/ui/empty-state.tsx";
import { useSession } from "../features/session/session-context.tsx";
import { httpErrorOf } from "../lib/http/http-client.ts";
import { paths } from "./paths.ts";
import NotFound from "./routes/not-found.tsx";
import { SectionFrame } from "./section-frame.tsx";

const Reports = lazy(() => import("./routes/operator/reports.tsx"));
const Users = lazy(() => import("./routes/operator/users.tsx"));
const Links = lazy(() => import("./routes/operator/links.tsx"));
const Domains = lazy(() => import("./routes/operator/domains.tsx"));
const Activity = lazy(() => import("./routes/operator/activity.tsx"));
const System = lazy(() => import("./routes/operator/system.tsx"));
const SignUp = lazy(() => import("./routes/operator/sign-up.tsx"));

const PAGES = [
  { to: paths.operator, name: "Reports", Page: Reports },
  { to: paths.operatorUsers, name: "Users", Page: Users },
  { to: paths.operatorLinks, name: "Links", Page: Links },
  { to: paths.operatorDomains, name: "Domains", Page: Domains },
  { to: paths.operatorActivity, name: "Activity", Page: Activity },
  { to: paths.operatorSystem, name: "System", Page: System },
  { to: paths.operatorSignUp, name: "Sign-up", Page: SignUp },
];

/** The pages of operators. For other users they do not exist. */
export default function OperatorPages() {
  const { user } = useSession();
  const isAccessLost = useIsAccessLost();
  if (!user?.isOperator) return <NotFound />;
  if (isAccessLost) {
    return (
      <LoadingFailed
        message="You are no longer an operator. Please reload the page."
        action={messages.reload}
        onAction={() => location.reload()}
      />
    );
  }
  return (
    <SectionFrame label="For operators" tabs={PAGES}>
      <Routes>
        {PAGES.map(({ to, Page }) => (
          <Route key={to} path={to.slice(paths.operator.length)} element={<Page />} />
        ))}
        <Route path="*" element={<NotFound />} />
      </Routes>
    </SectionFrame>
  );
}

/** Whether the api responded to a page as to a user who is not an operator. */
function useIsAccessLost(): boolean {
  const cache = useQueryClient().getQueryCache();
  const isLost = () =>
    cache
      .getAll()
      .some(({ queryKey, state }) => isListOfOperators(queryKey) && httpErrorOf(state.error)?.status === 404);
  return useSyncExternalStore((onChange) => cache.subscribe(onChange), isLost);
}

/** Not a user or another object, which may not exist. */
function isListOfOperators([path, kind]: QueryKey): boolean {
  return String(path).startsWith("/api/operator/") && kind !== "one";
}
