import { messages } from "@tapthru/proto/rules/messages";
import { ConfirmedButton } from "../../components/ui/confirmed-button.tsx";
import { useLogOutEverywhere } from "./api/log-out-everywhere.ts";

export function LogOutEverywhereButton({ onDone }: { onDone: () => Promise<void> }) {
  const { mutate, isPending } = useLogOutEverywhere(onDone);
  return (
    <ConfirmedButton
      label={messages.logOutEverywhere}
      pendingLabel={messages.loggingOut}
      question={messages.confirmLogOutEverywhere}
      isPending={isPending}
      onConfirm={(close) => mutate(undefined, { onError: close })}
    />
  );
}
