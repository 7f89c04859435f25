import { messages } from "@tapthru/proto/rules/messages";
import { Clock } from "lucide-react";
import { Button } from "../../components/ui/button.tsx";

interface SignedOutNoticeProps {
  /** How many links are shown. */
  count: number;
  onSignUp: () => void;
}

export function SignedOutNotice({ count, onSignUp }: SignedOutNoticeProps) {
  return (
    <div className="flex flex-col gap-4 rounded-2xl bg-notice p-4 text-notice-ink sm:flex-row sm:items-center sm:p-5">
      <p className="flex flex-1 items-start gap-3 text-md leading-6 text-pretty">
        <Clock aria-hidden className="mt-0.5 size-5 shrink-0" />
        {count === 1 ? messages.anonymousLinkWarning : messages.anonymousLinksWarning}
      </p>
      <Button variant="outline" onClick={onSignUp}>
        {messages.signUpForFree}
      </Button>
    </div>
  );
}
