import type { Import } from "@tapthru/proto/imports";
import { paths } from "@tapthru/proto/rules/paths";
import { Button, buttonClass } from "../../../components/ui/button.tsx";
import { ConfirmButton } from "../../../components/ui/dialog.tsx";
import { PageLink } from "../../../components/ui/links.tsx";
import { DownloadButton } from "../../../kit/download-button.tsx";
import { formatCount } from "../../../lib/locale-formats.ts";
import { useCancelImport, useDeleteImport, useRepairImport, useStartImport } from "./api.ts";

interface ImportActionsProps {
  import: Import;
  onNew: () => void;
}

export function ImportActions({ import: shown, onNew }: ImportActionsProps) {
  const { id, state, counts } = shown;
  const start = useStartImport(id);
  const repair = useRepairImport(id);
  const cancel = useCancelImport(id);
  const remove = useDeleteImport(id);
  return (
    <div className="flex flex-wrap gap-3">
      {state === "ready" && (
        <>
          {counts.links > 0 && (
            <Button aria-disabled={start.isPending} onClick={() => start.mutate()}>
              {`Import ${formatCount(counts.links, "link")}`}
            </Button>
          )}
          {counts.repairable > 0 && (
            <Button variant="outline" aria-disabled={repair.isPending} onClick={() => repair.mutate()}>
              {`Use ${formatCount(counts.repairable, "repaired address", "repaired addresses")}`}
            </Button>
          )}
          <Button
            variant="outline"
            aria-disabled={remove.isPending}
            onClick={() => remove.mutate(undefined, { onSuccess: onNew })}
          >
            Discard
          </Button>
        </>
      )}
      {state === "running" && (
        <ConfirmButton
          label="Cancel import"
          pendingLabel="Cancelling..."
          question="Stop this import? The links that were created until now stay."
          variant="outline"
          isPending={cancel.isPending}
          onConfirm={(close) => cancel.mutate(undefined, { onSuccess: close, onError: close })}
        />
      )}
      {(state === "finished" || state === "cancelled") && (
        <>
          <PageLink to={paths.dashboard} className={buttonClass()}>
            Your Links
          </PageLink>
          {state === "finished" && counts.retryable > 0 && (
            <Button variant="outline" aria-disabled={start.isPending} onClick={() => start.mutate()}>
              {`Try ${formatCount(counts.retryable, "line")} again`}
            </Button>
          )}
          <DownloadButton
            label="Download result"
            file={() => ({ path: "/api/imports/:id", params: { id }, name: `import-${id.slice(0, 8)}` })}
          />
          <Button variant="quiet" onClick={onNew}>
            Import another file
          </Button>
        </>
      )}
    </div>
  );
}
