import { zodResolver } from "@hookform/resolvers/zod";
import { messages } from "@tapthru/proto/rules/messages";
import { parseShortLink } from "@tapthru/proto/rules/parse-short-link";
import { REPORT_REASONS, type ReportReason } from "@tapthru/proto/rules/report-reasons";
import { useController, useForm } from "react-hook-form";
import * as z from "zod/mini";
import { RadioList } from "../../components/ui/choice-list.tsx";
import { Field } from "../../components/ui/field.tsx";
import { Form, SubmitButton } from "../../components/ui/form.tsx";
import { useErrorToast } from "../../components/ui/toaster.tsx";
import { callApi } from "../../lib/http/call-api.ts";
import { HttpError } from "../../lib/http/http-client.ts";
import { REPORT_REASON_TEXTS } from "../../lib/names.ts";
import { useHost } from "../../lib/use-host.ts";
import { useSingleMutation } from "../../lib/use-single-mutation.ts";

const REASONS = REPORT_REASONS.map((value) => ({ value, ...REPORT_REASON_TEXTS[value] }));

interface ReportFormProps {
  /** The initial value of the field. */
  link: string;
  onSent: () => void;
}

export function ReportForm({ link, onSent }: ReportFormProps) {
  const host = useHost();
  const { register, control, handleSubmit, formState } = useForm({
    resolver: zodResolver(reportFields(host)),
    defaultValues: { code: link, reason: null },
  });
  const { errors } = formState;
  // Invalid fields get the focus in the order in which they are registered.
  const code = register("code");
  const { field: reason } = useController({ control, name: "reason" });
  const { mutate, isPending } = useSendReport(onSent);

  return (
    <Form pending={isPending} onSubmit={handleSubmit((report) => mutate(report))} className="grid gap-6">
      <Field
        label="Short link"
        type="text"
        inputMode="url"
        autoComplete="off"
        autoCapitalize="none"
        spellCheck={false}
        hint="The full link, or the part after /l/"
        error={errors.code?.message}
        {...code}
      />
      <RadioList
        legend="What's wrong with this link?"
        choices={REASONS}
        value={reason.value}
        onChange={reason.onChange}
        error={errors.reason?.message}
        inputRef={reason.ref}
      />
      <SubmitButton pending={isPending}>{isPending ? "Sending..." : "Send report"}</SubmitButton>
    </Form>
  );
}

/** The code may be typed as a short link of this host or of an own domain. */
function reportFields(host: string) {
  const code = z.pipe(
    z.pipe(
      z.string(),
      z.transform((text) => parseShortLink(text, host)),
    ),
    z.string(messages.enterShortLink),
  );
  const reason = z.pipe(z.nullable(z.enum(REPORT_REASONS)), z.enum(REPORT_REASONS, messages.chooseReason));
  return z.object({ code, reason });
}

interface Report {
  code: string;
  reason: ReportReason;
}

function useSendReport(onSent: () => void) {
  const showError = useErrorToast();
  return useSingleMutation<unknown, Report>({
    mutationFn: (body) => callApi("POST", "/api/reports", { body }),
    onSuccess: onSent,
    onError(error) {
      const isTooMany = error instanceof HttpError && error.status === 429;
      showError(isTooMany ? error.text : "Your report could not be sent. Please try again.");
    },
  });
}
