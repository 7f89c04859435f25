import { Download } from "lucide-react";
import type { ComponentProps } from "react";
import { Button, textLinkClass } from "../components/ui/button.tsx";
import { useErrorToast } from "../components/ui/toaster.tsx";
import { dayOf } from "../lib/dates.ts";
import { errorText, request } from "../lib/http/http-client.ts";
import { csvSeparator, saveFile } from "../lib/save-file.ts";
import { useSingleMutation } from "./use-single-mutation.ts";

/** Long enough for 100,000 rows over a mobile network. */
const TIMEOUT_MS = 300_000;

const TYPES = { csv: "text/csv", json: "application/json", html: "text/html" };

export interface ApiFile {
  path: string;
  params?: Record<string, string>;
  query?: Record<string, string>;
  /** The local day and the type follow. Without it the reply names the file. */
  name?: string;
  /** "csv" by default. */
  type?: keyof typeof TYPES;
}

interface DownloadButtonProps extends Pick<ComponentProps<typeof Button>, "shape" | "disabled" | "title"> {
  label?: string;
  /** A link within a box with figures. */
  isLink?: boolean;
  file: () => ApiFile;
}

/** Saves a file of the api, such as CSV. An incomplete file is never saved. */
export function DownloadButton({ label = "Download CSV", isLink = false, file, ...look }: DownloadButtonProps) {
  const showError = useErrorToast();
  const { mutate, isPending } = useSingleMutation<void, ApiFile>({
    async mutationFn({ path, params = {}, query = {}, name, type = "csv" }) {
      const { headers, body } = await request("GET", path, {
        isPersonal: path.startsWith("/api/operator/"),
        params,
        query: { ...query, ...(type === "csv" && csvSeparator()) },
        headers: { Accept: `${TYPES[type]}, application/problem+json` },
        timeoutMs: TIMEOUT_MS,
        asFile: true,
      });
      const [, ownName = "file"] = /filename="([^"]+)"/.exec(headers.get("Content-Disposition") ?? "") ?? [];
      saveFile(body as Blob, name === undefined ? ownName : `${name}-${dayOf(new Date())}.${type}`);
    },
    onError: (error) => showError(errorText(error, "The file could not be downloaded. Please try again.")),
  });
  const content = (
    <>
      <Download aria-hidden className="size-4" />
      {label}
    </>
  );
  const button = {
    "aria-busy": isPending,
    "aria-disabled": isPending,
    onClick: () => mutate(file()),
    children: content,
  };
  if (!isLink) return <Button variant="outline" {...look} {...button} />;
  return (
    <button type="button" className={`inline-flex items-center gap-1.5 py-2 text-md ${textLinkClass}`} {...button} />
  );
}
