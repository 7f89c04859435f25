import { MailCheck } from "lucide-react";
import { useEffect, useState } from "react";
import { Button } from "../../../components/ui/button.tsx";
import { Card } from "../../../components/ui/card.tsx";
import { Notice } from "../../../components/ui/notice.tsx";
import { useErrorToast } from "../../../components/ui/toaster.tsx";
import { useSingleMutation } from "../../../kit/use-single-mutation.ts";
import { useConfig } from "../../../lib/config.ts";
import { errorText } from "../../../lib/http/http-client.ts";
import { useSession, useSessionControl } from "../session-context.tsx";

/** Nothing if the address of the user is confirmed. */
export function ConfirmEmail() {
  const { user } = useSession();
  const { firebase } = useConfig();
  if (user?.emailIsVerified !== false) return null;
  const canSend = user.weeklyEmail !== null || firebase !== null;
  return (
    <Card title="Confirm your email">
      <p className="mb-3 leading-6 text-pretty wrap-anywhere">
        {`Please confirm that ${user.email} is yours. Until then you can't give access: no API keys, webhooks, members, shared clicks or Amazon Ads. Alerts and the weekly email go only to a confirmed address.`}
      </p>
      {canSend ? (
        <ConfirmationForm email={user.email} />
      ) : (
        <p className="leading-6">This site sends no emails: please ask its operator to confirm your address.</p>
      )}
    </Card>
  );
}

/** Now, and each time that the user comes back, it finds out whether the address is confirmed. */
function ConfirmationForm({ email }: { email: string }) {
  const { provider, find, renew } = useSessionControl();
  const { firebase } = useConfig();
  const [sentTo, setSentTo] = useState<string>();
  const showError = useErrorToast();
  const { mutate, isPending } = useSingleMutation({
    mutationFn: async (_: undefined) => (await provider()).sendEmailConfirmation(),
    onSuccess: () => setSentTo(email),
    onError: (error) => showError(errorText(error, "Failed to send the link. Please try again.")),
  });

  useEffect(() => {
    // The backend learns from Firebase that the user opened the link by a login with a new token.
    const check = () => void (firebase ? renew() : find());
    check();
    addEventListener("focus", check);
    return () => removeEventListener("focus", check);
  }, [firebase, find, renew]);

  if (sentTo !== undefined) {
    return (
      <Notice icon={MailCheck} role="alert">
        {`We sent a link to ${sentTo}. Open it, then come back to this page.`}
      </Notice>
    );
  }
  return (
    <Button variant="outline" aria-busy={isPending} onClick={() => mutate(undefined)}>
      {isPending ? "Sending..." : "Confirm my address"}
    </Button>
  );
}
