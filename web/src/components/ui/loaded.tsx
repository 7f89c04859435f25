import { type ReactNode, useLayoutEffect, useRef } from "react";
import { focusIfLost } from "../../lib/focus.ts";
import { Button } from "./button.tsx";
import { Spinner } from "./spinner.tsx";

/** Where the spinner is: as tall as what will be there, so that the content below moves only outside the screen. */
const PLACES = {
  box: "grid min-h-24 place-content-center",
  line: "flex min-h-6 items-center",
  chart: "grid min-h-112 place-content-start justify-center pt-24",
  page: "grid min-h-dvh place-content-start justify-center pt-24",
};

interface LoadedProps<Data> {
  /** Undefined until it is loaded. */
  data: Data | undefined;
  query: { isError: boolean; refetch: () => unknown };
  failed?: string;
  /** How far it is, for what takes longer. */
  progress?: string | undefined;
  place?: keyof typeof PLACES;
  children: (data: Data) => ReactNode;
}

/** Content of loaded data. Until then a spinner, or that it could not be loaded. */
export function Loaded<Data>(props: LoadedProps<Data>) {
  const { data, query, failed = "This could not be loaded.", place = "box", progress, children } = props;
  if (data !== undefined) return children(data);
  if (query.isError) {
    return (
      <div className="flex flex-col items-start gap-4">
        <p role="alert">{failed}</p>
        <Button variant="outline" onClick={() => query.refetch()}>
          Try again
        </Button>
      </div>
    );
  }
  return (
    <div data-loading className={`animate-appear-late ${PLACES[place]}`}>
      <Spinner label="Loading..." />
      {progress && <p className="mt-2 text-sm text-muted tabular-nums">{progress}</p>}
    </div>
  );
}

interface NextPageProps {
  list: { isError: boolean; hasNextPage?: boolean; isFetchingNextPage?: boolean; fetchNextPage?: () => unknown };
  failed: string;
}

export function NextPage({ list, failed }: NextPageProps) {
  const { isError, hasNextPage = false, isFetchingNextPage = false, fetchNextPage } = list;
  const place = useRef<HTMLDivElement>(null);
  /** Of the list above, when the button was pressed. */
  const last = useRef<Element | null>(undefined);
  useLayoutEffect(() => {
    if (!hasNextPage) focusIfLost(last.current?.nextElementSibling?.querySelector<HTMLElement>("a, button"));
  }, [hasNextPage]);

  function showMore() {
    if (isFetchingNextPage) return;
    let above: Element | null | undefined = place.current;
    while (above && !above.querySelector("ul, tbody")) above = above.parentElement;
    last.current = above?.querySelector("ul, tbody")?.lastElementChild;
    fetchNextPage?.();
  }
  if (!hasNextPage) return null;
  return (
    <div ref={place} className="flex flex-col items-center gap-3">
      {isError && (
        <p role="alert" className="text-sm text-danger">
          {failed}
        </p>
      )}
      <Button variant="quiet" aria-busy={isFetchingNextPage} onClick={showMore}>
        {isFetchingNextPage ? "Loading..." : "Show more"}
      </Button>
    </div>
  );
}
