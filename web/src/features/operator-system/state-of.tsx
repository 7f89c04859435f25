import type { UseQueryResult } from "@tanstack/react-query";
import { messages } from "@tapthru/proto/rules/messages";
import type { ReactNode } from "react";
import { LoadingFailed } from "../../components/ui/empty-state.tsx";
import { Spinner } from "../../components/ui/spinner.tsx";

interface StateOfProps<Data> {
  query: UseQueryResult<Data>;
  /** Said if nothing could be loaded. */
  failed: string;
  children: (data: Data) => ReactNode;
}

/** What a query returned, the latest that was loaded. */
export function StateOf<Data>({ query, failed, children }: StateOfProps<Data>) {
  const { data, isPending, refetch } = query;
  if (data !== undefined) return children(data);
  if (isPending) return <Spinner label={messages.loading} />;
  return <LoadingFailed message={failed} action={messages.tryAgain} onAction={() => refetch()} />;
}
