import { messages } from "@tapthru/proto/rules/messages";
import { useState } from "react";
import { Button } from "../../components/ui/button.tsx";
import { ConfirmDialog } from "../../components/ui/confirm-dialog.tsx";
import { useDisconnect } from "./api/disconnect.ts";

export function DisconnectButton() {
  const [asking, setAsking] = useState(false);
  const { mutate, isPending } = useDisconnect();
  return (
    <>
      <Button variant="danger" onClick={() => setAsking(true)}>
        {messages.disconnect}
      </Button>
      <ConfirmDialog
        open={asking}
        question={messages.confirmDisconnectAds}
        confirmLabel={isPending ? messages.disconnecting : messages.disconnect}
        pending={isPending}
        onConfirm={() => mutate(undefined, { onError: () => setAsking(false) })}
        onClose={() => setAsking(false)}
      />
    </>
  );
}
