import type { Import } from "@tapthru/proto/imports";
import { paths } from "@tapthru/proto/rules/paths";
import { Button, buttonClass } from "../../../components/ui/button.tsx";
import { PageLink } from "../../../components/ui/links.tsx";
import { Action } from "../../../kit/action.tsx";
import { DownloadButton } from "../../../kit/download-button.tsx";
import { formatCount } from "../../../lib/locale-formats.ts";

export function ImportActions({ import: shown, onNew }: { import: Import; onNew: () => void }) {
  const { id, state, counts } = shown;
  const input = { params: { id } };
  const start = (label: string, variant: "primary" | "outline") => (
    <Action call="POST /api/imports/:id/start" input={input} label={label} variant={variant} />
  );
  return (
    <div className="flex flex-wrap gap-3">
      {state === "ready" && (
        <>
          {counts.links > 0 && start(`Import ${formatCount(counts.links, "link")}`, "primary")}
          {counts.repairable > 0 && (
            <Action
              call="POST /api/imports/:id/repair"
              input={input}
              label={`Use ${formatCount(counts.repairable, "repaired address", "repaired addresses")}`}
            />
          )}
          <DeleteImport id={id} label="Discard" onDone={onNew} />
        </>
      )}
      {state === "running" && (
        <Action
          call="POST /api/imports/:id/cancel"
          input={input}
          label="Cancel import"
          question="Stop this import? The links that were created until now stay."
        />
      )}
      {(state === "finished" || state === "cancelled") && (
        <>
          <PageLink to={paths.dashboard} className={buttonClass()}>
            Your Links
          </PageLink>
          {state === "finished" &&
            counts.retryable > 0 &&
            start(`Try ${formatCount(counts.retryable, "line")} again`, "outline")}
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

interface DeleteImportProps {
  id: string;
  label: string;
  question?: string;
  onDone?: () => void;
}

export function DeleteImport({ id, ...props }: DeleteImportProps) {
  return (
    <Action
      call="DELETE /api/imports/:id"
      input={{ params: { id } }}
      gone="The import was deleted before."
      {...props}
    />
  );
}
