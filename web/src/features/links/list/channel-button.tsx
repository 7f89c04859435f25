import { useHasChannelChoice } from "../../../components/channel-fields.tsx";
import { Button } from "../../../components/ui/button.tsx";
import { useLazyDialog } from "../../../components/use-lazy-dialog.ts";
import type { SelectedLink } from "./use-selection.ts";

const loadDialog = async () => (await import("./channel-dialog.tsx")).ChannelDialog;

/** Opens the dialog that sets the channel of these links. Nothing for users without channels and tags. */
export function ChannelButton({ links }: { links: readonly SelectedLink[] }) {
  const hasChoice = useHasChannelChoice();
  const { Dialog, open, close } = useLazyDialog(loadDialog);
  if (!hasChoice) return null;
  return (
    <>
      <Button variant="quiet" aria-haspopup="dialog" disabled={links.length === 0} onClick={open}>
        Channel
      </Button>
      {Dialog && <Dialog links={links} onClose={close} />}
    </>
  );
}
