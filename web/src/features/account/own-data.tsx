import { Button } from "../../components/ui/button.tsx";
import { Card } from "../../components/ui/card.tsx";
import { useErrorToast } from "../../components/ui/toaster.tsx";
import { useConfig } from "../../lib/config.ts";
import { callApi } from "../../lib/http/call-api.ts";
import { errorText } from "../../lib/http/http-client.ts";
import { saveFile } from "../../lib/save-file.ts";
import { useSingleMutation } from "../../lib/use-single-mutation.ts";

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

/** Long enough for 100,000 links over a mobile network. */
const EXPORT_TIMEOUT_MS = 300_000;

function useExportAccount() {
  const { productName } = useConfig();
  const showError = useErrorToast();
  return useSingleMutation<void, void>({
    async mutationFn() {
      const data = await callApi("GET /api/account/export", {
        timeoutMs: EXPORT_TIMEOUT_MS,
      });
      const file = new Blob([JSON.stringify(data, null, 2)], { type: "application/json" });
      saveFile(
        file,
        `${productName.toLowerCase().replace(/[^a-z0-9]+/g, "-")}-account-${data.exportedAt.slice(0, 10)}.json`,
      );
    },
    onError: (error) => showError(errorText(error, "Your data could not be downloaded. Please try again.")),
  });
}
