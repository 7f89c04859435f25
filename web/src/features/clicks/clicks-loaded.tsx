import type { UseQueryResult } from "@tanstack/react-query";
import type { ClickReport } from "@tapthru/proto/clicks";
import type { ComponentProps } from "react";
import { Loaded } from "../../components/ui/loaded.tsx";

interface ClicksLoadedProps<Report extends ClickReport>
  extends Pick<ComponentProps<typeof Loaded<Report>>, "children"> {
  query: Pick<UseQueryResult<Report>, "data" | "errorUpdateCount" | "refetch">;
}

/** Clicks when they have loaded. After a failure, the error stays while they are requested again. */
export function ClicksLoaded<Report extends ClickReport>({ query, ...props }: ClicksLoadedProps<Report>) {
  const { data, errorUpdateCount, refetch } = query;
  const failed = "The clicks could not be loaded.";
  return (
    <Loaded place="chart" {...props} data={data} query={{ isError: errorUpdateCount > 0, refetch }} failed={failed} />
  );
}
