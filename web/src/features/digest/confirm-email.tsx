import { MailCheck } from "lucide-react";
import { useEffect, useState } from "react";
import { Button } from "../../components/ui/button.tsx";
import { Notice } from "../../components/ui/notice.tsx";
import { useErrorToast } from "../../components/ui/toaster.tsx";
import { useConfig } from "../../lib/config.ts";
import { useSingleMutation } from "../../lib/use-single-mutation.ts";

export interface EmailConfirmation {
  /** Sends a link to the user's address. */
  send(): Promise<void>;
  /** Renews the login, by which the backend learns whether the user opened the link. */
  adopt(): Promise<void>;
}

interface ConfirmEmailProps {
  email: string;
  confirmation: EmailConfirmation;
  onAdopted: () => void;
}

/** Shown until the address is confirmed: now, and each time that the user comes back, it finds out whether it is. */
export function ConfirmEmail({ email, confirmation, onAdopted }: ConfirmEmailProps) {
  const [sentTo, setSentTo] = useState<string>();
  const showError = useErrorToast();
  const { firebase, hasPasswordLogin } = useConfig();
  const { mutate, isPending } = useSingleMutation({
    mutationFn: (_: undefined) => confirmation.send(),
    onSuccess: () => setSentTo(email),
    onError: () => showError("Failed to send the link. Please try again."),
  });

  useEffect(() => {
    const adopt = () => confirmation.adopt().then(onAdopted, console.warn);
    void adopt();
    addEventListener("focus", adopt);
    return () => removeEventListener("focus", adopt);
  }, [confirmation, onAdopted]);

  if (sentTo !== undefined) {
    return (
      <Notice icon={MailCheck} role="alert">
        {`We sent a link to ${sentTo}. Open it, then come back to this page.`}
      </Notice>
    );
  }
  return (
    <div className="flex flex-col items-start gap-3">
      <p className="leading-6 text-pretty wrap-anywhere">
        {`We do not know yet that ${email} is yours. We send the weekly email only to a confirmed address.`}{" "}
        {firebase === null && hasPasswordLogin && "Confirm it, so that you can log in with it in every browser."}
      </p>
      <Button variant="outline" aria-disabled={isPending} onClick={() => mutate(undefined)}>
        {isPending ? "Sending..." : "Confirm my address"}
      </Button>
    </div>
  );
}
