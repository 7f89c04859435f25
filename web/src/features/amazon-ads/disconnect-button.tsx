import { messages } from "@tapthru/proto/rules/messages";
import { ConfirmButton } from "../../components/ui/dialog.tsx";
import { useDisconnect } from "./api/disconnect.ts";

export function DisconnectButton() {
  const { mutate, isPending } = useDisconnect();
  return (
    <ConfirmButton
      label={messages.disconnect}
      pendingLabel={messages.disconnecting}
      question={messages.confirmDisconnectAds}
      isPending={isPending}
      onConfirm={(close) => mutate(undefined, { onError: close })}
    />
  );
}
