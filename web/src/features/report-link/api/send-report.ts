import type { reportLink as ReportLink } from "@tapthru/proto/http/reports";
import { messages } from "@tapthru/proto/rules/messages";
import type { ReportReason } from "@tapthru/proto/rules/report-reasons";
import { useErrorToast } from "../../../components/ui/toaster.tsx";
import { callApi } from "../../../lib/http/call-api.ts";
import { HttpError } from "../../../lib/http/http-client.ts";
import { useSingleMutation } from "../../../lib/use-single-mutation.ts";

interface Report {
  code: string;
  reason: ReportReason;
}

export function useSendReport(onSent: () => void) {
  const showError = useErrorToast();
  return useSingleMutation<unknown, Report>({
    mutationFn: (body) => callApi<typeof ReportLink>("POST", "/api/reports", { body }),
    onSuccess: onSent,
    onError(error) {
      const isTooMany = error instanceof HttpError && error.status === 429;
      showError(isTooMany ? error.text : messages.failedToSendReport);
    },
  });
}
