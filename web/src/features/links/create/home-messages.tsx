import { ANONYMOUS_LINK_EXPIRY_DAYS } from "@tapthru/proto/rules/limits";
import { Clock } from "lucide-react";
import type { MouseEventHandler } from "react";
import { Button } from "../../../components/ui/button.tsx";

export function SignedOutNotice({ count, onSignUp }: { count: number; onSignUp: MouseEventHandler }) {
  const [links, them] = count === 1 ? ["This link expires", "it"] : ["These links expire", "them"];
  return (
    <div className="flex flex-col gap-4 rounded-2xl bg-notice p-4 text-notice-ink sm:flex-row sm:items-center sm:p-5">
      <p className="flex flex-1 items-start gap-3 text-md leading-6 text-pretty">
        <Clock aria-hidden className="mt-0.5 size-5 shrink-0" />
        {`${links} in ${ANONYMOUS_LINK_EXPIRY_DAYS} days. Sign up to keep ${them}.`}
      </p>
      <Button variant="outline" onClick={onSignUp}>
        Sign up for free
      </Button>
    </div>
  );
}
