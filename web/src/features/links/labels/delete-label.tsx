import type { CountedLabel } from "@tapthru/proto/http/labels";
import { messages } from "@tapthru/proto/rules/messages";
import { useState } from "react";
import { Button } from "../../../components/ui/button.tsx";
import { ConfirmDialog } from "../../../components/ui/confirm-dialog.tsx";
import { DialogError } from "../../../components/ui/dialog-error.tsx";
import { useDeleteLabel } from "../api/change-label.ts";

interface DeleteLabelProps {
  label: CountedLabel;
  onDeleted: () => void;
}

export function DeleteLabel({ label, onDeleted }: DeleteLabelProps) {
  const [isOpen, setOpen] = useState(false);
  const { mutate, isPending, isError } = useDeleteLabel();
  const close = () => setOpen(false);
  return (
    <div className="mt-1 -ml-5">
      <Button
        variant="quiet"
        aria-label={messages.deleteLabel(label.name)}
        onClick={() => setOpen(true)}
      >
        {messages.deleteLink}
      </Button>
      <ConfirmDialog
        open={isOpen}
        question={messages.confirmDeleteLabel(label.name, label.linkCount)}
        confirmLabel={messages.deleteLink}
        pending={isPending}
        onConfirm={() => mutate(label, { onSuccess: onDeleted, onSettled: close })}
        onClose={close}
      />
      <DialogError>{isError ? messages.labelsNotSaved : null}</DialogError>
    </div>
  );
}
