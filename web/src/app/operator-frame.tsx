import { type QueryKey, useQueryClient } from "@tanstack/react-query";
import { paths } from "@tapthru/proto/rules/paths";
import { reload } from "@tapthru/proto/rules/site-texts";
import { lazy, useEffect, useState, useSyncExternalStore } from "react";
import { Outlet } from "react-router-dom";
import { buttonClass } from "../components/ui/button.tsx";
import { LoadingFailed } from "../components/ui/empty-state.tsx";
import { PageLink } from "../components/ui/links.tsx";
import type { Tab } from "../components/ui/tab-links.tsx";
import { useSession } from "../features/session/session-context.tsx";
import { httpErrorOf } from "../lib/http/http-client.ts";
import { createStoredFlag } from "../lib/stored-texts.ts";
import { SectionFrame } from "./section-frame.tsx";

const NotFound = lazy(() => import("./routes/not-found.tsx"));

export function OperatorFrame({ tabs }: { tabs: readonly Tab[] }) {
  const { user } = useSession();
  const isAccessLost = useIsAccessLost();
  const isOperator = user?.isOperator ?? false;
  useEffect(() => {
    if (isOperator) hasSeenConsole.set(true);
  }, [isOperator]);
  if (!isOperator) return <NotFound />;
  if (isAccessLost) {
    return (
      <LoadingFailed
        message="You are no longer an operator. Please reload the page."
        action={reload}
        onAction={() => location.reload()}
      />
    );
  }
  return (
    <SectionFrame label="For operators" tabs={tabs}>
      <Outlet />
    </SectionFrame>
  );
}

const hasSeenConsole = createStoredFlag("operator_console_seen");

/** Tells operators where their console is, until this browser has shown it. */
export function OperatorNotice() {
  const { user } = useSession();
  const [isNew] = useState(() => !hasSeenConsole.get());
  if (!user?.isOperator || !isNew) return null;
  return (
    <div className="mb-4 flex flex-wrap items-center gap-x-4 gap-y-3 rounded-2xl bg-notice p-edge text-notice-ink">
      <p className="min-w-0 flex-1 basis-60 leading-6 text-pretty">
        You are an operator of this site. Reported links, users and settings are in the console.
      </p>
      <PageLink to={paths.operator} className={buttonClass("outline")}>
        Open the console
      </PageLink>
    </div>
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
