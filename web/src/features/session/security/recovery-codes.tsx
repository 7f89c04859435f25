import { messages } from "@tapthru/proto/rules/messages";
import { useEffect, useRef } from "react";
import { useCopy } from "../../../components/copy-button.tsx";
import { Button } from "../../../components/ui/button.tsx";
import { saveFile } from "../../../lib/save-file.ts";

/** Recovery codes right after their creation, the only time that they are shown. */
export function RecoveryCodes({ codes }: { codes: readonly string[] }) {
  const text = codes.join("\n");
  const heading = useRef<HTMLHeadingElement>(null);
  const { copy } = useCopy(messages.failedToCopyByHand, messages.recoveryCodesCopied);
  // The form that had the focus was removed.
  useEffect(() => heading.current?.focus(), []);
  return (
    <div className="rounded-2xl bg-notice p-4 text-notice-ink">
      <h3 ref={heading} tabIndex={-1} className="font-semibold outline-none">
        {messages.recoveryCodes}
      </h3>
      <p className="mt-1 text-md leading-6 text-pretty">{messages.recoveryCodesText}</p>
      <ul className="my-4 grid grid-cols-2 sm:grid-cols-3 gap-x-4 gap-y-1 rounded-xl border border-line-strong bg-surface p-4 text-ink">
        {codes.map((code) => (
          <li key={code}>
            <code className="text-code wrap-anywhere">{code}</code>
          </li>
        ))}
      </ul>
      <div className="flex flex-wrap gap-2">
        <Button variant="outline" onClick={() => copy(text)}>
          {messages.copyRecoveryCodes}
        </Button>
        <Button
          variant="outline"
          onClick={() => saveFile(new Blob([`${text}\n`]), messages.recoveryCodesFileName)}
        >
          {messages.downloadRecoveryCodes}
        </Button>
      </div>
    </div>
  );
}
