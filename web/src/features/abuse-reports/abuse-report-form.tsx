import { zodResolver } from "@hookform/resolvers/zod";
import { ABUSE_REASONS, chooseReason, enterShortLink } from "@tapthru/proto/rules/abuse-reasons";
import { parseShortLink } from "@tapthru/proto/rules/parse-short-link";
import { shortUrl } from "@tapthru/proto/rules/short-url";
import { CircleCheck } from "lucide-react";
import { useState } from "react";
import { useController } from "react-hook-form";
import { useSearchParams } from "react-router-dom";
import * as z from "zod/mini";
import { RadioList } from "../../components/ui/choice-list.tsx";
import { Field } from "../../components/ui/field.tsx";
import { Form, FormError, SubmitButton } from "../../components/ui/form.tsx";
import { FormCard } from "../../components/ui/page.tsx";
import { useCallForm } from "../../kit/call-form.tsx";
import { useConfig } from "../../lib/config.ts";
import { useFocusWhenShown } from "../../lib/focus.ts";
import { ABUSE_REASON_TEXTS } from "../../lib/names.ts";
import { useHost } from "../../lib/use-host.ts";
import { usePageTitle } from "../../lib/use-page-title.ts";

const ABUSE_REPORT_SENT = "Thank you for your report";

export function ReportAbuse() {
  const { publicBaseUrl } = useConfig();
  const [query] = useSearchParams();
  const code = query.get("code");
  const link = code ? shortUrl(publicBaseUrl, code) : "";
  const [isSent, setSent] = useState(false);
  usePageTitle(isSent ? ABUSE_REPORT_SENT : "Report a link");
  return (
    <FormCard>{isSent ? <AbuseReportSent /> : <AbuseReportForm link={link} onSent={() => setSent(true)} />}</FormCard>
  );
}

function AbuseReportSent() {
  const heading = useFocusWhenShown<HTMLHeadingElement>();
  return (
    <div className="flex flex-col items-center gap-3 text-center">
      <CircleCheck aria-hidden className="size-8 text-accent" />
      <h2 ref={heading} tabIndex={-1} className="text-lg font-semibold tracking-tight outline-none">
        {ABUSE_REPORT_SENT}
      </h2>
      <p className="leading-6 text-pretty text-muted">
        If the link breaks our rules, it will stop working. You do not need to do anything else.
      </p>
    </div>
  );
}

const REASONS = ABUSE_REASONS.map((value) => ({ value, ...ABUSE_REASON_TEXTS[value] }));

interface AbuseReportFormProps {
  link: string;
  onSent: () => void;
}

function AbuseReportForm({ link, onSent }: AbuseReportFormProps) {
  const host = useHost();
  const { form, isPending, submit } = useCallForm<"POST /api/reports", z.input<Fields>, z.output<Fields>>(
    "POST /api/reports",
    {
      form: { resolver: zodResolver(abuseReportFields(host)), defaultValues: { code: link, reason: null } },
      input: (body) => ({ body }),
      failed: "Your report could not be sent. Please try again.",
      onDone: onSent,
    },
  );
  const { register, control, formState } = form;
  const { errors } = formState;
  // Invalid fields get the focus in the order in which they are registered.
  const code = register("code");
  const { field: reason } = useController({ control, name: "reason" });

  return (
    <Form pending={isPending} onSubmit={submit} className="grid gap-6">
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
      <FormError>{errors.root?.message}</FormError>
      <SubmitButton pending={isPending}>{isPending ? "Sending..." : "Send report"}</SubmitButton>
    </Form>
  );
}

type Fields = ReturnType<typeof abuseReportFields>;

/** The code may be typed as a short link of this host or of an own domain. */
function abuseReportFields(host: string) {
  const code = z.pipe(
    z.pipe(
      z.string(),
      z.transform((text) => parseShortLink(text, host)),
    ),
    z.string(enterShortLink),
  );
  const reason = z.pipe(z.nullable(z.enum(ABUSE_REASONS)), z.enum(ABUSE_REASONS, chooseReason));
  return z.object({ code, reason });
}
