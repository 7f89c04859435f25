import { ABUSE_REASONS, chooseReason, enterShortLink } from "@tapthru/proto/rules/abuse-reasons";
import { parseShortLink } from "@tapthru/proto/rules/parse-short-link";
import { shortUrl } from "@tapthru/proto/rules/short-url";
import { CircleCheck } from "lucide-react";
import { useState } from "react";
import { useSearchParams } from "react-router-dom";
import * as z from "zod/mini";
import { FormCard } from "../../components/ui/page.tsx";
import { CallForm, RadioField, TextField } from "../../kit/call-form.tsx";
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
  return (
    <CallForm
      call="POST /api/reports"
      rules={abuseReportFields(useHost())}
      values={{ code: link, reason: null }}
      input={(body) => ({ body })}
      failed="Your report could not be sent. Please try again."
      save="Send report"
      onDone={onSent}
    >
      <TextField
        name="code"
        label="Short link"
        inputMode="url"
        autoCapitalize="none"
        spellCheck={false}
        hint="The full link, or the part after /l/"
      />
      <RadioField name="reason" legend="What's wrong with this link?" choices={REASONS} />
    </CallForm>
  );
}

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
