import { shortUrl } from "@tapthru/proto/rules/short-url";
import { CircleCheck } from "lucide-react";
import { useEffect, useRef, useState } from "react";
import { useSearchParams } from "react-router-dom";
import { Button } from "../../components/ui/button.tsx";
import { FormCard } from "../../components/ui/page.tsx";
import { useConfig } from "../../lib/config.ts";
import { usePageTitle } from "../../lib/use-page-title.ts";
import { ReportForm } from "./report-form.tsx";

const REPORT_SENT = "Thank you for your report";

/** The form for a link, which the address may name. */
export function ReportLink() {
  const { publicBaseUrl } = useConfig();
  const [query] = useSearchParams();
  const code = query.get("code");
  const [link, setLink] = useState(code ? shortUrl(publicBaseUrl, code) : "");
  const [isSent, setSent] = useState(false);

  function startAgain() {
    setLink("");
    setSent(false);
  }

  usePageTitle(isSent ? REPORT_SENT : "Report a link");
  return (
    <FormCard>
      {isSent ? <ReportSent onAgain={startAgain} /> : <ReportForm link={link} onSent={() => setSent(true)} />}
    </FormCard>
  );
}

/** Replaces the form after sending, and takes the focus. */
function ReportSent({ onAgain }: { onAgain: () => void }) {
  const heading = useRef<HTMLHeadingElement>(null);
  useEffect(() => heading.current?.focus(), []);
  return (
    <div className="flex flex-col items-center gap-3 text-center">
      <CircleCheck aria-hidden className="size-8 text-accent" />
      <h2 ref={heading} tabIndex={-1} className="text-lg font-semibold tracking-tight outline-none">
        {REPORT_SENT}
      </h2>
      <p className="leading-6 text-pretty text-muted">
        If the link breaks our rules, it will stop working. You do not need to do anything else.
      </p>
      <Button variant="outline" onClick={onAgain}>
        Report another link
      </Button>
    </div>
  );
}
