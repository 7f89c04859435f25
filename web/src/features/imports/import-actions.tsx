import type { Import } from "@tapthru/proto/imports";
import { Download } from "lucide-react";
import { Button, buttonClass } from "../../components/ui/button.tsx";
import { ConfirmButton } from "../../components/ui/dialog.tsx";
import { PageLink } from "../../components/ui/links.tsx";
import { formatNumber } from "../../lib/locale-formats.ts";
import { useCancelImport, useDeleteImport, useDownloadResult, useRepairImport, useStartImport } from "./api.ts";

interface ImportActionsProps {
  import: Import;
  linksPath: string;
  onNew: () => void;
}

export function ImportActions({ import: shown, linksPath, onNew }: ImportActionsProps) {
  const { id, state, counts } = shown;
  const start = useStartImport(id);
  const repair = useRepairImport(id);
  const cancel = useCancelImport(id);
  const remove = useDeleteImport(id);
  const download = useDownloadResult(id);
  return (
    <div className="flex flex-wrap gap-3">
      {state === "ready" && (
        <>
          {counts.links > 0 && (
            <Button aria-disabled={start.isPending} onClick={() => start.mutate()}>
              {counts.links === 1 ? "Import 1 link" : `Import ${formatNumber(counts.links)} links`}
            </Button>
          )}
          {counts.repairable > 0 && (
            <Button variant="outline" aria-disabled={repair.isPending} onClick={() => repair.mutate()}>
              {counts.repairable === 1
                ? "Use 1 repaired address"
                : `Use ${formatNumber(counts.repairable)} repaired addresses`}
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
          <PageLink to={linksPath} className={buttonClass()}>
            Your Links
          </PageLink>
          {state === "finished" && counts.retryable > 0 && (
            <Button variant="outline" aria-disabled={start.isPending} onClick={() => start.mutate()}>
              {counts.retryable === 1 ? "Try 1 line again" : `Try ${formatNumber(counts.retryable)} lines again`}
            </Button>
          )}
          <Button variant="outline" aria-disabled={download.isPending} onClick={() => download.mutate()}>
            <Download aria-hidden className="size-4" />
            Download result
          </Button>
          <Button variant="quiet" onClick={onNew}>
            Import another file
          </Button>
        </>
      )}
    </div>
  );
}
