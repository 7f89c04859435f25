import type { Link } from "@tapthru/proto/links";
import { Button } from "../../../components/ui/button.tsx";
import { useLazyDialog } from "../../../components/use-lazy-dialog.ts";
import { isUsable } from "../link-state.tsx";
import type { SelectedLink } from "../list/use-selection.ts";
import { LabelChips } from "./label-chip.tsx";

/** The labels of a link, with the button that changes them if the link can be edited. */
export function LinkLabels({ link }: { link: Link }) {
  if (link.labels.length === 0 && !isUsable(link)) return null;
  return (
    <div className="flex flex-wrap items-center gap-x-2 gap-y-1">
      <LabelChips labels={link.labels} />
      {isUsable(link) && <LabelButton links={[link]} text="Edit labels" />}
    </div>
  );
}

const loadDialog = async () => (await import("./label-dialog.tsx")).LabelDialog;

interface LabelButtonProps {
  links: readonly SelectedLink[];
  text?: string;
}

/** Opens the dialog that changes the labels of these links. */
export function LabelButton({ links, text = "Label" }: LabelButtonProps) {
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
