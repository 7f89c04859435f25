import type { Link } from "@tapthru/proto/http/links";
import { messages } from "@tapthru/proto/rules/messages";
import { ConfirmButton } from "../../components/ui/dialog.tsx";
import { useDeleteLink } from "./api/delete-link.ts";

interface DeleteButtonProps {
  link: Link;
  onDeleted: () => void;
}

export function DeleteButton({ link, onDeleted }: DeleteButtonProps) {
  const { mutate, isPending } = useDeleteLink();
  return (
    <ConfirmButton
      label={messages.deleteLink}
      pendingLabel={messages.deletingLink}
      question={messages.confirmDelete}
      isPending={isPending}
      onConfirm={(close) => mutate(link, { onSuccess: onDeleted, onError: close })}
    />
  );
}
