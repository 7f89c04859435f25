import { email as emailRule } from "@tapthru/proto/fields";
import { MailCheck } from "lucide-react";
import { useState } from "react";
import * as z from "zod/mini";
import { Notice } from "../../../components/ui/notice.tsx";
import { TextField } from "../../../kit/call-form.tsx";
import { useFocusWhenShown } from "../../../lib/focus.ts";
import { providerCode } from "../failures.ts";
import { ConfirmedForm, useConfirmedForm } from "./confirmed-form.tsx";

const isOther = (current: string) =>
  z.refine<string>((typed) => typed.toLowerCase() !== current.toLowerCase(), "This is already your email address.");

/**
 * Sends a link to the new address, which changes when the user opens it. Also succeeds if another account has the address,
 * so that this is not revealed.
 */
export function EmailForm({ email, onClose }: { email: string; onClose: () => void }) {
  const [sentTo, setSentTo] = useState<string>();
  const state = useConfirmedForm({
    rules: z.object({ email: emailRule.check(isOther(email)) }),
    defaultValues: { email: "" },
    failed: "Failed to change your email. Please try again.",
    async action(values, provider) {
      try {
        await provider.sendEmailChange(values.email);
      } catch (error) {
        if (providerCode(error) !== "auth/email-already-in-use") throw error;
      }
      setSentTo(values.email);
    },
  });

  if (sentTo) return <Sent to={sentTo} />;
  return (
    <ConfirmedForm state={state} save="Send link" onClose={onClose}>
      <TextField
        name="email"
        label="New email"
        type="email"
        autoComplete="email"
        hint="We send a link to this address. Your email changes when you open the link."
      />
    </ConfirmedForm>
  );
}

function Sent({ to }: { to: string }) {
  const notice = useFocusWhenShown<HTMLDivElement>();
  return (
    <div ref={notice} tabIndex={-1} className="outline-none">
      <Notice icon={MailCheck} role="alert">
        {`We sent a link to ${to}. Open it to confirm the change. You may then have to log in with the new address. If no email arrives, check the address: it may be misspelled or already in use.`}
      </Notice>
    </div>
  );
}
