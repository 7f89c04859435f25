import { messages } from "@tapthru/proto/rules/messages";
import { ConfirmButton } from "../../components/ui/dialog.tsx";
import { useLogOutEverywhere } from "./api/log-out-everywhere.ts";

export function LogOutEverywhereButton({ onDone }: { onDone: () => Promise<void> }) {
  const { mutate, isPending } = useLogOutEverywhere(onDone);
  return (
    <ConfirmButton
      label={messages.logOutEverywhere}
      pendingLabel={messages.loggingOut}
      question={messages.confirmLogOutEverywhere}
      variant="outline"
      confirmVariant="primary"
      isPending={isPending}
      onConfirm={(close) => mutate(undefined, { onError: close })}
    />
  );
}
