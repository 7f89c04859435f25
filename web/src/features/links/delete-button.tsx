import type { Link } from "@tapthru/proto/http/links";
import { messages } from "@tapthru/proto/rules/messages";
import { useState } from "react";
import { Button } from "../../components/ui/button.tsx";
import { ConfirmDialog } from "../../components/ui/confirm-dialog.tsx";
import { useDeleteLink } from "./api/delete-link.ts";

interface DeleteButtonProps {
  link: Link;
  onDeleted: () => void;
}

export function DeleteButton({ link, onDeleted }: DeleteButtonProps) {
  const [asking, setAsking] = useState(false);
  const { mutate, isPending } = useDeleteLink();
  return (
    <>
      <Button variant="danger" onClick={() => setAsking(true)}>
        {messages.deleteLink}
      </Button>
      <ConfirmDialog
        open={asking}
        question={messages.confirmDelete}
        confirmLabel={isPending ? messages.deletingLink : messages.deleteLink}
        pending={isPending}
        onConfirm={() => mutate(link, { onSuccess: onDeleted, onError: () => setAsking(false) })}
        onClose={() => setAsking(false)}
      />
    </>
  );
}
