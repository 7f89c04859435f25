import type { ReactNode } from "react";
import { Button } from "./button.tsx";
import { LoadingFailed } from "./empty-state.tsx";
import { Spinner } from "./spinner.tsx";

interface LoadedProps<Data> {
  /** Undefined until it is loaded. */
  data: Data | undefined;
  query: { isError: boolean; refetch: () => unknown };
  /** Said if nothing could be loaded. */
  failed: string;
  /** As tall as a line of text, for a part of a card. */
  isLine?: boolean;
  children: (data: Data) => ReactNode;
}

/** Content of loaded data. Until then a spinner, or that it could not be loaded. */
export function Loaded<Data>(props: LoadedProps<Data>) {
  const { data, query, failed, isLine = false, children } = props;
  if (data !== undefined) return children(data);
  if (query.isError && isLine) {
    return (
      <div className="flex flex-col items-start gap-4">
        <p role="alert">{failed}</p>
        <Button variant="outline" onClick={() => query.refetch()}>
          Try again
        </Button>
      </div>
    );
  }
  if (query.isError) {
    return <LoadingFailed message={failed} action="Try again" onAction={() => query.refetch()} />;
  }
  return (
    <div
      data-loading
      className={`animate-appear-late ${isLine ? "flex min-h-6 items-center" : "grid min-h-24 place-content-center"}`}
    >
      <Spinner label="Loading..." />
    </div>
  );
}
