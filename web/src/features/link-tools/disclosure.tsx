import { messages } from "@tapthru/proto/rules/messages";
import { CopyButton } from "../../components/copy-button.tsx";

/** The disclosures that Amazon requires of associates, for the account and near each link, with copy buttons. */
export function Disclosure() {
  return (
    <div className="mt-5 text-sm">
      <p className="mb-2 text-muted">{messages.disclosureAdvice}</p>
      <ul>
        {[messages.disclosureAccount, messages.disclosureLink].map((text) => (
          <li key={text} className="flex flex-wrap items-center justify-between gap-x-2">
            <span className="min-w-0 flex-1 basis-40 text-md">{text}</span>
            <CopyButton
              text={text}
              label={messages.copyDisclosure(text)}
              failure={messages.failedToCopyText}
              success={messages.textCopied}
            />
          </li>
        ))}
      </ul>
    </div>
  );
}
