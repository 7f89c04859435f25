import type { ReactNode } from "react";
import { LoadingFailed } from "./empty-state.tsx";
import { Spinner } from "./spinner.tsx";

interface LoadedProps<Data> {
  /** Undefined until it is loaded. */
  data: Data | undefined;
  query: { isError: boolean; refetch: () => unknown };
  /** Said if nothing could be loaded. */
  failed: string;
  children: (data: Data) => ReactNode;
}

/** Content of loaded data. Until then a spinner, or that it could not be loaded. */
export function Loaded<Data>({ data, query, failed, children }: LoadedProps<Data>) {
  if (data !== undefined) return children(data);
  if (query.isError) {
    return <LoadingFailed message={failed} action="Try again" onAction={() => query.refetch()} />;
  }
  return (
    <div data-loading className="grid min-h-24 animate-appear-late place-content-center">
      <Spinner label="Loading..." />
    </div>
  );
}
