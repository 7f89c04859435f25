import { messages } from "@tapthru/proto/rules/messages";
import { shortUrl } from "@tapthru/proto/rules/short-url";
import { useState } from "react";
import { useConfig } from "../../lib/config.ts";
import { usePageTitle } from "../../lib/use-page-title.ts";
import { ReportForm } from "./report-form.tsx";
import { ReportSent } from "./report-sent.tsx";

/** @param code fills in the link to report */
export function ReportLink({ code }: { code: string | null }) {
  const { publicBaseUrl } = useConfig();
  const [link, setLink] = useState(code ? shortUrl(publicBaseUrl, code) : "");
  const [isSent, setSent] = useState(false);

  function startAgain() {
    setLink("");
    setSent(false);
  }

  usePageTitle(isSent ? messages.reportSent : messages.reportLinkTitle);
  if (isSent) return <ReportSent onAgain={startAgain} />;
  return <ReportForm link={link} onSent={() => setSent(true)} />;
}
