import type { Import } from "@tapthru/proto/http/imports";
import { messages } from "@tapthru/proto/rules/messages";
import { Download } from "lucide-react";
import { Button, buttonClass } from "../../components/ui/button.tsx";
import { ConfirmButton } from "../../components/ui/dialog.tsx";
import { PageLink } from "../../components/ui/links.tsx";
import { formatNumber } from "../../lib/locale-formats.ts";
import {
  useCancelImport,
  useDeleteImport,
  useDownloadResult,
  useRepairImport,
  useStartImport,
} from "./api.ts";

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
              {messages.startImport(counts.links, formatNumber(counts.links))}
            </Button>
          )}
          {counts.repairable > 0 && (
            <Button
              variant="outline"
              aria-disabled={repair.isPending}
              onClick={() => repair.mutate()}
            >
              {messages.takeRepairs(counts.repairable, formatNumber(counts.repairable))}
            </Button>
          )}
          <Button
            variant="outline"
            aria-disabled={remove.isPending}
            onClick={() => remove.mutate(undefined, { onSuccess: onNew })}
          >
            {messages.discardImport}
          </Button>
        </>
      )}
      {state === "running" && (
        <ConfirmButton
          label={messages.cancelImport}
          pendingLabel={messages.cancellingImport}
          question={messages.confirmCancelImport}
          variant="outline"
          isPending={cancel.isPending}
          onConfirm={(close) => cancel.mutate(undefined, { onSuccess: close, onError: close })}
        />
      )}
      {(state === "finished" || state === "cancelled") && (
        <>
          <PageLink to={linksPath} className={buttonClass()}>
            {messages.yourLinks}
          </PageLink>
          {state === "finished" && counts.retryable > 0 && (
            <Button
              variant="outline"
              aria-disabled={start.isPending}
              onClick={() => start.mutate()}
            >
              {messages.retryImport(counts.retryable, formatNumber(counts.retryable))}
            </Button>
          )}
          <Button
            variant="outline"
            aria-disabled={download.isPending}
            onClick={() => download.mutate()}
          >
            <Download aria-hidden className="size-4" />
            {messages.downloadImportResult}
          </Button>
          <Button variant="quiet" onClick={onNew}>
            {messages.importAnotherFile}
          </Button>
        </>
      )}
    </div>
  );
}
