import { messages } from "@tapthru/proto/rules/messages";
import { CircleAlert } from "lucide-react";
import { Button } from "../../components/ui/button.tsx";

export function DetailsError({ onReturn }: { onReturn: () => void }) {
  return (
    <div className="flex flex-col items-center gap-5 py-20 text-center">
      <CircleAlert aria-hidden className="size-8 text-danger" />
      <div role="alert">
        <h1 className="text-lg font-medium text-pretty">{messages.errorLoadingLink}</h1>
      </div>
      <Button onClick={onReturn}>{messages.returnToDashboard}</Button>
    </div>
  );
}
