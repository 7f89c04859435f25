import type { ClickBreakdown } from "@tapthru/proto/http/clicks";
import { messages } from "@tapthru/proto/rules/messages";
import { useErrorToast } from "../../../components/ui/toaster.tsx";
import { dayOf } from "../../../lib/dates.ts";
import { request } from "../../../lib/http/http-client.ts";
import { saveFile } from "../../../lib/save-file.ts";
import { useSingleMutation } from "../../../lib/use-single-mutation.ts";
import { periodBounds } from "../click-period.ts";
import { type ClickScope, clickQuery } from "./get-clicks.ts";

/** Downloads the series as CSV, or the breakdown if `by` is given. */
export function useDownloadClicks({ shortCode, period }: ClickScope, by?: ClickBreakdown) {
  const showError = useErrorToast();
  return useSingleMutation<void, void>({
    async mutationFn() {
      const now = new Date();
      const path = shortCode === null ? "/api/clicks" : "/api/links/:shortCode/clicks";
      const { body } = await request("GET", path, {
        query: clickQuery(periodBounds(period, now), by),
        headers: { Accept: "text/csv, application/problem+json" },
        ...(shortCode !== null && { params: { shortCode } }),
      });
      const name = [shortCode ?? "all", by ?? []].flat().join("-");
      const file = new Blob([String(body)], { type: "text/csv" });
      saveFile(file, messages.clicksFileName(name, dayOf(now)));
    },
    onError() {
      showError(messages.failedToDownloadCsv);
    },
  });
}
