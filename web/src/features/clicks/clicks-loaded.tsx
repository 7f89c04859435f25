import type { UseQueryResult } from "@tanstack/react-query";
import type { ClickReport } from "@tapthru/proto/clicks";
import type { ReactNode } from "react";
import { Button } from "../../components/ui/button.tsx";
import { Spinner } from "../../components/ui/spinner.tsx";

interface ClicksLoadedProps<Report extends ClickReport> {
  query: Pick<UseQueryResult<Report>, "data" | "errorUpdateCount" | "refetch">;
  /** Of the placeholder. By default as tall as the screen, so that the cards below move only outside the screen. */
  height?: string;
  children: (report: Report) => ReactNode;
}

/** Clicks when they have loaded. After a failure, the error stays while they are requested again. */
export function ClicksLoaded<Report extends ClickReport>({
  query,
  height = "min-h-dvh",
  children,
}: ClicksLoadedProps<Report>) {
  const { data, errorUpdateCount, refetch } = query;
  if (data !== undefined) return children(data);
  if (errorUpdateCount > 0) {
    return (
      <div className="flex flex-col items-start gap-4 text-muted">
        <p role="alert">The clicks could not be loaded.</p>
        <Button variant="outline" onClick={() => refetch()}>
          Try again
        </Button>
      </div>
    );
  }
  return (
    <div data-loading className={`grid animate-appear-late place-content-start justify-center pt-24 ${height}`}>
      <Spinner label="Loading clicks..." />
    </div>
  );
}
