import { useMutation } from "@tanstack/react-query";
import { EXPORT_FORMATS, type ExportFormat } from "@tapthru/proto/export";
import { LINKS_EXPORT_SELECTED_MAX_COUNT } from "@tapthru/proto/rules/limits";
import { Button } from "../../../components/ui/button.tsx";
import { Dialog, DialogError } from "../../../components/ui/dialog.tsx";
import { useConfig } from "../../../lib/config.ts";
import { request } from "../../../lib/http/http-client.ts";
import { saveFile } from "../../../lib/save-file.ts";
import { type ListView, viewParameters } from "./use-list-view.ts";
import type { SelectedLink } from "./use-selection.ts";

const EXPORT_AS = { csv: "Download CSV", json: "Download JSON" } as const;

interface ExportDialogProps {
  view: ListView;
  selected: readonly SelectedLink[] | null;
  onClose: () => void;
}

export function ExportDialog({ view, selected, onClose }: ExportDialogProps) {
  const { mutate, isPending, isError } = useExportLinks({ view, selected });
  const isTooMany = selected !== null && selected.length > LINKS_EXPORT_SELECTED_MAX_COUNT;
  return (
    <Dialog title="Export" onClose={onClose}>
      <p className="leading-6 text-pretty">{scopeText(view, selected)}</p>
      <p className="mt-2 text-sm leading-5 text-pretty text-muted">
        CSV opens in spreadsheets, and can be imported again. JSON is for programs.
      </p>
      <div className="mt-5 grid gap-3 sm:grid-cols-2">
        {EXPORT_FORMATS.map((format) => (
          <Button
            key={format}
            variant="outline"
            disabled={isTooMany}
            aria-disabled={isPending}
            onClick={() => !isPending && mutate(format, { onSuccess: onClose })}
          >
            {EXPORT_AS[format]}
          </Button>
        ))}
      </div>
      <p role="status" className="text-sm text-muted">
        {isPending && "Preparing the file..."}
      </p>
      <DialogError>
        {isTooMany
          ? `At most ${LINKS_EXPORT_SELECTED_MAX_COUNT} selected links can be exported at once.`
          : isError
            ? "The links could not be exported. Please try again."
            : null}
      </DialogError>
    </Dialog>
  );
}

function scopeText(view: ListView, selected: readonly SelectedLink[] | null): string {
  if (selected)
    return `${selected.length === 1 ? "1 selected link" : `${selected.length} selected links`} with labels, addresses and clicks.`;
  const { sort: _sort, ...conditions } = viewParameters(view);
  return Object.keys(conditions).length > 0
    ? "The links that match your search and filters, with labels, addresses and clicks."
    : "All your links with labels, addresses and clicks.";
}

/** Long enough for 100,000 links over a mobile network. */
const EXPORT_TIMEOUT_MS = 300_000;

interface ExportScope {
  view: ListView;
  /** Null for all links that match the view. */
  selected: readonly SelectedLink[] | null;
}

/** Downloads links as a file. An incomplete file is never saved. */
export function useExportLinks({ view, selected }: ExportScope) {
  const { productName } = useConfig();
  return useMutation({
    async mutationFn(format: ExportFormat) {
      const { sort: _sort, ...conditions } = viewParameters(view);
      const { body } = await request("GET", "/api/export", {
        query: {
          format,
          ...(selected ? { ids: selected.map(({ id }) => id).join() } : conditions),
        },
        timeoutMs: EXPORT_TIMEOUT_MS,
      });
      const day = new Date().toISOString().slice(0, 10);
      const file =
        format === "csv"
          ? // The browser removed the byte order mark, which spreadsheets need.
            new Blob(["\uFEFF", String(body)], { type: "text/csv" })
          : new Blob([JSON.stringify(body, null, 2)], { type: "application/json" });
      saveFile(file, `${productName.toLowerCase()}-links-${day}.${format}`);
    },
  });
}
