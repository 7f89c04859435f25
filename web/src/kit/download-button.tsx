import { Download } from "lucide-react";
import { Button } from "../components/ui/button.tsx";
import { useErrorToast } from "../components/ui/toaster.tsx";
import { dayOf } from "../lib/dates.ts";
import { request } from "../lib/http/http-client.ts";
import { saveFile } from "../lib/save-file.ts";
import { useSingleMutation } from "../lib/use-single-mutation.ts";

/** Long enough for 100,000 rows over a mobile network. */
const TIMEOUT_MS = 300_000;

export interface CsvFile {
  /** Of the api; it responds with CSV. */
  path: string;
  params?: Record<string, string>;
  query?: Record<string, string>;
  /** The local day and ".csv" follow. */
  name: string;
}

interface DownloadButtonProps {
  label?: string;
  /** Called when the button is pressed. */
  file: () => CsvFile;
}

/** Saves CSV of the api as a file. An incomplete file is never saved. */
export function DownloadButton({ label = "Download CSV", file }: DownloadButtonProps) {
  const showError = useErrorToast();
  const { mutate, isPending } = useSingleMutation<void, CsvFile>({
    async mutationFn({ path, params = {}, query = {}, name }) {
      const { body } = await request("GET", path, {
        params,
        query,
        headers: { Accept: "text/csv, application/problem+json" },
        timeoutMs: TIMEOUT_MS,
      });
      // Spreadsheets need the byte order mark, which the browser removed.
      saveFile(new Blob(["\uFEFF", String(body)], { type: "text/csv" }), `${name}-${dayOf(new Date())}.csv`);
    },
    onError: () => showError("The file could not be downloaded. Please try again."),
  });
  return (
    <Button variant="outline" aria-disabled={isPending} onClick={() => mutate(file())}>
      <Download aria-hidden className="size-4" />
      {label}
    </Button>
  );
}
