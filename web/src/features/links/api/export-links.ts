import { useMutation } from "@tanstack/react-query";
import type { ExportFormat, exportLinks as ExportLinks } from "@tapthru/proto/http/export";
import { messages } from "@tapthru/proto/rules/messages";
import { useConfig } from "../../../lib/config.ts";
import { request } from "../../../lib/http/http-client.ts";
import { saveFile } from "../../../lib/save-file.ts";
import { type ListView, viewParameters } from "../use-list-view.ts";
import type { SelectedLink } from "../use-selection.ts";

const path: (typeof ExportLinks)["path"] = "/api/export";

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
      const { body } = await request("GET", path, {
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
      saveFile(file, messages.exportedLinksFileName(productName, day, format));
    },
  });
}
