import { messages } from "@tapthru/proto/rules/messages";
import { Button } from "../../../components/ui/button.tsx";
import { useLazyDialog } from "../../../components/use-lazy-dialog.ts";
import { importOnline } from "../../../lib/import-online.ts";
import type { SelectedLink } from "../use-selection.ts";

const loadDialog = importOnline(async () => (await import("./label-dialog.tsx")).LabelDialog);

interface LabelButtonProps {
  links: readonly SelectedLink[];
  text?: string;
}

/** Opens the dialog that changes the labels of these links. */
export function LabelButton({ links, text = messages.label }: LabelButtonProps) {
  const { Dialog, open, close } = useLazyDialog(loadDialog);
  return (
    <>
      <Button variant="quiet" aria-haspopup="dialog" disabled={links.length === 0} onClick={open}>
        {text}
      </Button>
      {Dialog && <Dialog links={links} onClose={close} />}
    </>
  );
}
