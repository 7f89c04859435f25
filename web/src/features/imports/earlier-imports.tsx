import type { Import } from "@tapthru/proto/imports";
import { Button } from "../../components/ui/button.tsx";
import { Card } from "../../components/ui/card.tsx";
import { ConfirmButton } from "../../components/ui/dialog.tsx";
import { formatMinute } from "../../lib/dates.ts";
import { formatNumber } from "../../lib/locale-formats.ts";
import { useDeleteImport } from "./api.ts";

const IMPORT_STATES = {
  ready: "not started",
  running: "running",
  finished: "finished",
  cancelled: "cancelled",
} as const;

interface EarlierImportsProps {
  /** Newest first. */
  imports: readonly Import[];
  onShow: (id: string) => void;
}

export function EarlierImports({ imports, onShow }: EarlierImportsProps) {
  if (imports.length === 0) return null;
  return (
    <Card title="Earlier imports">
      <ul className="divide-y divide-line">
        {imports.map((each) => (
          <EarlierImport key={each.id} import={each} onShow={onShow} />
        ))}
      </ul>
    </Card>
  );
}

interface EarlierImportProps {
  import: Import;
  onShow: (id: string) => void;
}

function EarlierImport({ import: each, onShow }: EarlierImportProps) {
  const { id, fileName, createdAt, state, counts } = each;
  const remove = useDeleteImport(id);
  const name = fileName ?? "Pasted addresses";
  return (
    <li className="flex flex-wrap items-center justify-between gap-3 py-3 first:pt-0">
      <div className="min-w-0">
        <p className="font-medium wrap-anywhere">{name}</p>
        <p className="mt-0.5 text-sm text-muted">
          {`${formatMinute(createdAt)}, ${IMPORT_STATES[state]}, links created: ${formatNumber(counts.created)}`}
        </p>
      </div>
      <div className="flex flex-wrap gap-2">
        <Button variant="outline" aria-label={`Show ${name}`} onClick={() => onShow(id)}>
          Show
        </Button>
        {state !== "running" && (
          <ConfirmButton
            label="Delete"
            pendingLabel="Deleting..."
            question="Delete this import from the list? Its links stay, but its result can't be downloaded any more."
            variant="outline"
            isPending={remove.isPending}
            onConfirm={(close) => remove.mutate(undefined, { onSuccess: close, onError: close })}
          />
        )}
      </div>
    </li>
  );
}
