import { Button } from "../../../components/ui/button.tsx";
import { useLazyDialog } from "../../../components/use-lazy-dialog.ts";
import type { ListView } from "./use-list-view.ts";
import type { SelectedLink } from "./use-selection.ts";

const loadDialog = async () => (await import("./export-dialog.tsx")).ExportDialog;

interface ExportButtonProps {
  view: ListView;
  /** Null for all links of the view. */
  selected: readonly SelectedLink[] | null;
}

/** Opens the dialog that exports the selected links, or those that the list shows. */
export function ExportButton({ view, selected }: ExportButtonProps) {
  const { Dialog, open, close } = useLazyDialog(loadDialog);
  return (
    <>
      <Button variant="quiet" aria-haspopup="dialog" disabled={selected?.length === 0} onClick={open}>
        Export
      </Button>
      {Dialog && <Dialog view={view} selected={selected} onClose={close} />}
    </>
  );
}
