import { Button } from "../../../components/ui/button.tsx";
import { useLazyDialog } from "../../../components/use-lazy-dialog.ts";
import { useUsableDomains } from "../../../lib/domains.ts";
import type { SelectedLink } from "./use-selection.ts";

const loadDialog = async () => (await import("./move-dialog.tsx")).MoveDialog;

/** Opens the dialog that moves these links to a domain. Nothing for users without one. */
export function MoveButton({ links }: { links: readonly SelectedLink[] }) {
  const hasDomains = useUsableDomains().length > 0;
  const { Dialog, open, close } = useLazyDialog(loadDialog);
  if (!hasDomains) return null;
  return (
    <>
      <Button variant="quiet" aria-haspopup="dialog" disabled={links.length === 0} onClick={open}>
        Domain
      </Button>
      {Dialog && <Dialog links={links} onClose={close} />}
    </>
  );
}
