import type { CountedLabel } from "@tapthru/proto/http/labels";
import { messages } from "@tapthru/proto/rules/messages";
import { ConfirmButton, DialogError } from "../../../components/ui/dialog.tsx";
import { useDeleteLabel } from "../api/change-label.ts";

interface DeleteLabelProps {
  label: CountedLabel;
  onDeleted: () => void;
}

export function DeleteLabel({ label, onDeleted }: DeleteLabelProps) {
  const { mutate, isPending, isError } = useDeleteLabel();
  return (
    <div className="mt-1 -ml-5">
      <ConfirmButton
        label={messages.deleteLink}
        name={messages.deleteLabel(label.name)}
        pendingLabel={messages.deleteLink}
        question={messages.confirmDeleteLabel(label.name, label.linkCount)}
        variant="quiet"
        isPending={isPending}
        onConfirm={(close) => mutate(label, { onSuccess: onDeleted, onSettled: close })}
      />
      <DialogError>{isError ? messages.labelsNotSaved : null}</DialogError>
    </div>
  );
}
