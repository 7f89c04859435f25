import { EXPORT_FORMATS } from "@tapthru/proto/http/export";
import { LINKS_EXPORT_SELECTED_MAX_COUNT } from "@tapthru/proto/rules/limits";
import { messages } from "@tapthru/proto/rules/messages";
import { Button } from "../../components/ui/button.tsx";
import { Dialog, DialogError } from "../../components/ui/dialog.tsx";
import { useExportLinks } from "./api/export-links.ts";
import { type ListView, viewParameters } from "./use-list-view.ts";
import type { SelectedLink } from "./use-selection.ts";

interface ExportDialogProps {
  view: ListView;
  selected: readonly SelectedLink[] | null;
  onClose: () => void;
}

export function ExportDialog({ view, selected, onClose }: ExportDialogProps) {
  const { mutate, isPending, isError } = useExportLinks({ view, selected });
  const isTooMany = selected !== null && selected.length > LINKS_EXPORT_SELECTED_MAX_COUNT;
  return (
    <Dialog title={messages.exportLinks} onClose={onClose}>
      <p className="leading-6 text-pretty">{scopeText(view, selected)}</p>
      <p className="mt-2 text-sm leading-5 text-pretty text-muted">{messages.exportFormats}</p>
      <div className="mt-5 grid gap-3 sm:grid-cols-2">
        {EXPORT_FORMATS.map((format) => (
          <Button
            key={format}
            variant="outline"
            disabled={isTooMany}
            aria-disabled={isPending}
            onClick={() => !isPending && mutate(format, { onSuccess: onClose })}
          >
            {messages.exportAs[format]}
          </Button>
        ))}
      </div>
      <p role="status" className="text-sm text-muted">
        {isPending && messages.exporting}
      </p>
      <DialogError>
        {isTooMany ? messages.tooManyLinksToExport : isError ? messages.failedToExport : null}
      </DialogError>
    </Dialog>
  );
}

function scopeText(view: ListView, selected: readonly SelectedLink[] | null): string {
  if (selected) return messages.exportText.selected(selected.length);
  const { sort: _sort, ...conditions } = viewParameters(view);
  return Object.keys(conditions).length > 0
    ? messages.exportText.filtered
    : messages.exportText.all;
}
