import { email as emailRule } from "@tapthru/proto/fields";
import { MailCheck } from "lucide-react";
import { useEffect, useRef, useState } from "react";
import * as z from "zod/mini";
import { Notice } from "../../../components/ui/notice.tsx";
import { TextField } from "../../../kit/call-form.tsx";
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
  const notice = useRef<HTMLDivElement>(null);
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

  useEffect(() => {
    // The button that had the focus is gone.
    if (sentTo) notice.current?.focus();
  }, [sentTo]);

  if (sentTo) {
    return (
      <div ref={notice} tabIndex={-1} className="outline-none">
        <Notice icon={MailCheck} role="alert">
          {`We sent a link to ${sentTo}. Open it to confirm the change. You may then have to log in with the new address. If no email arrives, check the address: it may be misspelled or already in use.`}
        </Notice>
      </div>
    );
  }
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
