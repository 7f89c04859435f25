import { messages } from "@tapthru/proto/rules/messages";
import { ConfirmedButton } from "../../components/ui/confirmed-button.tsx";
import { useDisconnect } from "./api/disconnect.ts";

export function DisconnectButton() {
  const { mutate, isPending } = useDisconnect();
  return (
    <ConfirmedButton
      label={messages.disconnect}
      pendingLabel={messages.disconnecting}
      question={messages.confirmDisconnectAds}
      isPending={isPending}
      onConfirm={(close) => mutate(undefined, { onError: close })}
    />
  );
}
