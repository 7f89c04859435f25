import { messages } from "@tapthru/proto/rules/messages";
import { useState } from "react";
import { Button } from "../../components/ui/button.tsx";
import { ConfirmDialog } from "../../components/ui/confirm-dialog.tsx";
import { useLogOutEverywhere } from "./api/log-out-everywhere.ts";

export function LogOutEverywhereButton({ onDone }: { onDone: () => Promise<void> }) {
  const [asking, setAsking] = useState(false);
  const { mutate, isPending } = useLogOutEverywhere(onDone);
  return (
    <>
      <Button variant="danger" onClick={() => setAsking(true)}>
        {messages.logOutEverywhere}
      </Button>
      <ConfirmDialog
        open={asking}
        question={messages.confirmLogOutEverywhere}
        confirmLabel={isPending ? messages.loggingOut : messages.logOutEverywhere}
        pending={isPending}
        onConfirm={() => mutate(undefined, { onError: () => setAsking(false) })}
        onClose={() => setAsking(false)}
      />
    </>
  );
}
