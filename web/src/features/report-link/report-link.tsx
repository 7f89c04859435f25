import { SHORT_LINK_PATH_PREFIX } from "@tapthru/proto/rules/limits";
import { useState } from "react";
import { useConfig } from "../../lib/config.ts";
import { ReportForm } from "./report-form.tsx";
import { ReportSent } from "./report-sent.tsx";

/** @param code of the link that is reported first */
export function ReportLink({ code }: { code: string | null }) {
  const { publicBaseUrl } = useConfig();
  const [link, setLink] = useState(code ? publicBaseUrl + SHORT_LINK_PATH_PREFIX + code : "");
  const [isSent, setSent] = useState(false);

  function startAgain() {
    setLink("");
    setSent(false);
  }

  if (isSent) return <ReportSent onAgain={startAgain} />;
  return <ReportForm host={new URL(publicBaseUrl).host} link={link} onSent={() => setSent(true)} />;
}
