import { queryOptions } from "@tanstack/react-query";
import { useErrorToast } from "../../components/ui/toaster.tsx";
import { useConfig } from "../../lib/config.ts";
import { callApi } from "../../lib/http/call-api.ts";
import { saveFile } from "../../lib/save-file.ts";
import { useSingleMutation } from "../../lib/use-single-mutation.ts";

const PATH = "/api/sessions";

/** Always stale, so that each visit to the page refetches it. */
export const sessionsOptions = queryOptions({
  queryKey: [PATH],
  queryFn: ({ signal }) => callApi("GET", PATH, { signal }),
  staleTime: 0,
});

/** @param onDone called after all sessions have ended, to log out this browser */
export function useLogOutEverywhere(onDone: () => Promise<void>) {
  const showError = useErrorToast();
  return useSingleMutation({
    mutationFn: (revokesKeys: boolean) =>
      callApi("DELETE", "/api/sessions", { query: { revokesKeys: `${revokesKeys}` } }),
    onSuccess: onDone,
    onError() {
      showError("Failed to log out. Please try again.");
    },
  });
}

/** Long enough for 100,000 links over a mobile network. */
const EXPORT_TIMEOUT_MS = 300_000;

/** Downloads all data stored about the user as a JSON file. */
export function useExportAccount() {
  const { productName } = useConfig();
  const showError = useErrorToast();
  return useSingleMutation<void, void>({
    async mutationFn() {
      const data = await callApi("GET", "/api/account/export", {
        timeoutMs: EXPORT_TIMEOUT_MS,
      });
      const file = new Blob([JSON.stringify(data, null, 2)], { type: "application/json" });
      saveFile(
        file,
        `${productName.toLowerCase().replace(/[^a-z0-9]+/g, "-")}-account-${data.exportedAt.slice(0, 10)}.json`,
      );
    },
    onError() {
      showError("Your data could not be downloaded. Please try again.");
    },
  });
}
