import { messages } from "@tapthru/proto/rules/messages";
import { Button } from "../../components/ui/button.tsx";
import { Card } from "../../components/ui/card.tsx";
import { useExportAccount } from "./api.ts";

/** Offers a download of all data stored about the user. */
export function OwnData() {
  const { mutate, isPending } = useExportAccount();
  return (
    <Card title={messages.downloadTitle}>
      <p className="leading-6 text-pretty text-muted">{messages.downloadText}</p>
      <div className="mt-4 flex flex-col">
        <Button variant="outline" aria-disabled={isPending} onClick={() => mutate()}>
          {isPending ? messages.downloadingData : messages.downloadData}
        </Button>
      </div>
    </Card>
  );
}
