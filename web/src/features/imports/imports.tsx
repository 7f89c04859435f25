import { useQuery } from "@tanstack/react-query";
import { useEffect, useRef } from "react";
import { useSearchParams } from "react-router-dom";
import { LoadingFailed } from "../../components/ui/empty-state.tsx";
import { Spinner } from "../../components/ui/spinner.tsx";
import { importsOptions } from "./api.ts";
import { EarlierImports } from "./earlier-imports.tsx";
import { ImportForm } from "./import-form.tsx";
import { ImportView } from "./import-view.tsx";
import { useRefreshOfLinks } from "./use-refresh-of-links.ts";

/** Reads a file of links, shows what each line will become, imports it, and shows earlier imports. */
export function Imports({ linksPath }: { linksPath: string }) {
  const { data: imports, isLoadingError, refetch } = useQuery(importsOptions);
  useRefreshOfLinks();
  const { chosenId, choose } = useChosenImport();
  const view = useRef<HTMLDivElement>(null);
  const shouldFocus = useRef(false);

  // An import that is running is shown also without its id in the address, and stays when it ends.
  const chosen = imports?.find(({ id }) => id === chosenId);
  const running = imports?.find(({ state }) => state === "running");
  const runningId = running?.id;
  const shown = chosen ?? (chosenId === "new" ? undefined : running);

  function show(id: string) {
    shouldFocus.current = true;
    choose(id);
  }
  useEffect(() => {
    if (chosenId === null && runningId !== undefined) choose(runningId, { replace: true });
  }, [chosenId, choose, runningId]);
  // The focused button disappears when the import starts or ends.
  const state = shown?.state;
  const previous = useRef({ id: shown?.id, state });
  useEffect(() => {
    const isSame = previous.current.id === shown?.id;
    const isChanged = isSame && previous.current.state !== state;
    previous.current = { id: shown?.id, state };
    const isFocusLost = document.activeElement === document.body;
    if (isChanged && isFocusLost) view.current?.focus({ preventScroll: true });
  }, [shown?.id, state]);
  useEffect(() => {
    if (!shouldFocus.current || shown === undefined) return;
    shouldFocus.current = false;
    view.current?.focus();
  }, [shown]);

  if (isLoadingError) {
    return <LoadingFailed message="Your imports could not be loaded." action="Try again" onAction={() => refetch()} />;
  }
  if (imports === undefined) return <Spinner label="Loading..." />;
  return (
    <div className="flex flex-col gap-5">
      {shown ? (
        <div ref={view} tabIndex={-1} className="rounded-2xl focus-visible:outline-2">
          <ImportView key={shown.id} import={shown} linksPath={linksPath} onNew={() => choose("new")} />
        </div>
      ) : (
        <ImportForm onCreated={({ id }) => show(id)} />
      )}
      <EarlierImports imports={imports.filter(({ id }) => id !== shown?.id)} onShow={show} />
    </div>
  );
}

/** The import in the address, or `new` for the form; null if the address has neither. */
function useChosenImport(): {
  chosenId: string | null;
  choose: (id: string, options?: { replace: boolean }) => void;
} {
  const [parameters, setParameters] = useSearchParams();
  return {
    chosenId: parameters.get("id"),
    choose: (id, options) => setParameters({ id }, { ...options, preventScrollReset: true }),
  };
}
