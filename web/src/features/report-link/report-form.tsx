import { zodResolver } from "@hookform/resolvers/zod";
import { messages } from "@tapthru/proto/rules/messages";
import { REPORT_REASONS } from "@tapthru/proto/rules/report-reasons";
import { useController, useForm } from "react-hook-form";
import * as z from "zod/mini";
import { Field } from "../../components/ui/field.tsx";
import { Form } from "../../components/ui/form.tsx";
import { RadioList } from "../../components/ui/radio-list.tsx";
import { SubmitButton } from "../../components/ui/submit-button.tsx";
import { useHost } from "../../lib/use-host.ts";
import { useSendReport } from "./api/send-report.ts";
import { parseShortCode } from "./parse-short-code.ts";

const REASONS = REPORT_REASONS.map((value) => ({ value, ...messages.reportReasons[value] }));

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
    <Form
      pending={isPending}
      onSubmit={handleSubmit((report) => mutate(report))}
      className="grid gap-6"
    >
      <Field
        label={messages.shortLinkField}
        type="text"
        inputMode="url"
        autoComplete="off"
        autoCapitalize="none"
        spellCheck={false}
        hint={messages.shortLinkHint}
        error={errors.code?.message}
        {...code}
      />
      <RadioList
        legend={messages.reasonQuestion}
        choices={REASONS}
        value={reason.value}
        onChange={reason.onChange}
        error={errors.reason?.message}
        inputRef={reason.ref}
      />
      <SubmitButton pending={isPending}>
        {isPending ? messages.sendingReport : messages.sendReport}
      </SubmitButton>
    </Form>
  );
}

/** The code may be typed as a short link of this host. */
function reportFields(host: string) {
  const code = z.pipe(
    z.pipe(
      z.string(),
      z.transform((text) => parseShortCode(text, host)),
    ),
    z.string(messages.enterShortLink),
  );
  const reason = z.pipe(
    z.nullable(z.enum(REPORT_REASONS)),
    z.enum(REPORT_REASONS, messages.chooseReason),
  );
  return z.object({ code, reason });
}
