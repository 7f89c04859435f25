import { Button } from "../../components/ui/button.tsx";
import { Card } from "../../components/ui/card.tsx";
import { useExportAccount } from "./api.ts";

/** Offers a download of all data stored about the user. */
export function OwnData() {
  const { mutate, isPending } = useExportAccount();
  return (
    <Card title="A copy of your data">
      <p className="leading-6 text-pretty text-muted">
        Everything we store about you in one file, such as your account, your links, your tags and your sessions.
      </p>
      <div className="mt-4 flex flex-col">
        <Button variant="outline" aria-disabled={isPending} onClick={() => mutate()}>
          {isPending ? "Preparing..." : "Download your data"}
        </Button>
      </div>
    </Card>
  );
}
