import type { Link } from "@tapthru/proto/links";
import { isUsable } from "../link-state.tsx";
import { DialogButton } from "../list/bulk-dialog.tsx";
import { LabelChips } from "./label-chip.tsx";
import { LabelDialog } from "./label-dialog.tsx";

/** The labels of a link, with the button that changes them if the link can be edited. */
export function LinkLabels({ link }: { link: Link }) {
  if (link.labels.length === 0 && !isUsable(link)) return null;
  return (
    <div className="flex flex-wrap items-center gap-x-2 gap-y-1">
      <LabelChips labels={link.labels} />
      {isUsable(link) && (
        <DialogButton text="Edit labels">{(close) => <LabelDialog links={[link]} onClose={close} />}</DialogButton>
      )}
    </div>
  );
}
