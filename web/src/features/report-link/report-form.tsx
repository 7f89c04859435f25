import { messages } from "@tapthru/proto/rules/messages";
import { REPORT_REASONS, type ReportReason } from "@tapthru/proto/rules/report-reasons";
import { useRef, useState } from "react";
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

export function ReportForm({ link: initialLink, onSent }: ReportFormProps) {
  const [link, setLink] = useState(initialLink);
  const [reason, setReason] = useState<ReportReason | null>(null);
  const [isSubmitted, setSubmitted] = useState(false);
  const host = useHost();
  const form = useRef<HTMLFormElement>(null);
  const { mutate, isPending } = useSendReport(onSent);
  const code = parseShortCode(link, host);

  function submit() {
    setSubmitted(true);
    if (code === null) focus("text");
    else if (reason === null) focus("radio");
    else mutate({ code, reason });
  }

  function focus(type: "text" | "radio") {
    form.current?.querySelector<HTMLInputElement>(`input[type=${type}]`)?.focus();
  }

  return (
    <Form ref={form} pending={isPending} onSubmit={submit} className="grid gap-6">
      <Field
        label={messages.shortLinkField}
        type="text"
        inputMode="url"
        autoComplete="off"
        autoCapitalize="none"
        spellCheck={false}
        hint={messages.shortLinkHint}
        error={isSubmitted && code === null ? messages.enterShortLink : undefined}
        value={link}
        onChange={({ target }) => setLink(target.value)}
      />
      <RadioList
        legend={messages.reasonQuestion}
        choices={REASONS}
        value={reason}
        onChange={setReason}
        error={isSubmitted && reason === null ? messages.chooseReason : undefined}
      />
      <SubmitButton pending={isPending}>
        {isPending ? messages.sendingReport : messages.sendReport}
      </SubmitButton>
    </Form>
  );
}
