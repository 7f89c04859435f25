import { messages } from "@tapthru/proto/rules/messages";
import { Check, Copy } from "lucide-react";
import { IconButton } from "../../components/ui/icon-button.tsx";
import { useCopy } from "../../components/use-copy.ts";

/** The disclosures that Amazon requires of associates, for the account and near each link, with copy buttons. */
export function Disclosure() {
  return (
    <div className="mt-5 text-sm">
      <p className="mb-2 text-muted">{messages.disclosureAdvice}</p>
      <ul>
        {[messages.disclosureAccount, messages.disclosureLink].map((text) => (
          <li key={text} className="flex items-center justify-between gap-2">
            <span className="text-md">{text}</span>
            <CopyText text={text} />
          </li>
        ))}
      </ul>
    </div>
  );
}

function CopyText({ text }: { text: string }) {
  const { copied, copy } = useCopy(messages.failedToCopyText, messages.textCopied);
  return (
    <IconButton
      icon={copied ? Check : Copy}
      label={messages.copyDisclosure(text)}
      onClick={() => copy(text)}
    />
  );
}
