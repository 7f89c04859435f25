import { useQuery } from "@tanstack/react-query";
import { MailCheck } from "lucide-react";
import { useEffect, useState } from "react";
import { Button } from "../../components/ui/button.tsx";
import { Card } from "../../components/ui/card.tsx";
import { Checkbox } from "../../components/ui/choice-list.tsx";
import { Loaded } from "../../components/ui/loaded.tsx";
import { Notice } from "../../components/ui/notice.tsx";
import { useErrorToast } from "../../components/ui/toaster.tsx";
import { useSetting } from "../../kit/use-setting.ts";
import { useConfig } from "../../lib/config.ts";
import { errorText } from "../../lib/http/http-client.ts";
import { queryOf } from "../../lib/http/query-presets.ts";
import { useSingleMutation } from "../../lib/use-single-mutation.ts";

interface EmailConfirmation {
  send(): Promise<void>;
  /** Renews the login, by which the backend learns whether the user opened the link. */
  adopt(): Promise<void>;
}

interface ConfirmEmailProps {
  email: string;
  confirmation: EmailConfirmation;
}

/** Nothing if the address is confirmed. */
export function ConfirmEmail(props: ConfirmEmailProps) {
  const { data, refetch } = useQuery(digestOptions);
  const { firebase } = useConfig();
  if (!data || data.emailIsVerified) return null;
  const canSend = data.isAvailable || firebase !== null;
  return (
    <Card title="Confirm your email">
      <p className="mb-3 leading-6 text-pretty wrap-anywhere">
        {`Please confirm that ${props.email} is yours. Until then you can't give access: no API keys, webhooks, members, shared clicks or Amazon Ads. Alerts and the weekly email go only to a confirmed address.`}
      </p>
      {canSend ? (
        <ConfirmationForm {...props} onAdopted={refetch} />
      ) : (
        <p className="leading-6">This site sends no emails: please ask its operator to confirm your address.</p>
      )}
    </Card>
  );
}

/** Now, and each time that the user comes back, it finds out whether the address is confirmed. */
function ConfirmationForm({ email, confirmation, onAdopted }: ConfirmEmailProps & { onAdopted: () => void }) {
  const [sentTo, setSentTo] = useState<string>();
  const showError = useErrorToast();
  const { mutate, isPending } = useSingleMutation({
    mutationFn: (_: undefined) => confirmation.send(),
    onSuccess: () => setSentTo(email),
    onError: (error) => showError(errorText(error, "Failed to send the link. Please try again.")),
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
    <Button variant="outline" aria-disabled={isPending} onClick={() => mutate(undefined)}>
      {isPending ? "Sending..." : "Confirm my address"}
    </Button>
  );
}

/** The choice of the weekly email. Without a mail server it says that there is none. */
export function WeeklyEmail() {
  const query = useQuery(digestOptions);
  return (
    <Card title="Weekly email">
      <Loaded data={query.data} query={query} failed="Your choice could not be loaded.">
        {({ isAvailable, isOn, isRefused }) =>
          isAvailable ? (
            <>
              <p className="mb-4 leading-6 text-pretty text-muted">
                Once a week we list your links that need attention: product gone or out of stock, tag missing or wrong.
                We also name a channel of which Amazon counts far fewer clicks than before. If all is well, no email
                comes.
              </p>
              {isRefused && (
                <p className="mb-4 leading-6 text-pretty text-danger">
                  It was switched off: the mail server says that your email address does not exist or takes no emails.
                </p>
              )}
              <Switch savedIsOn={isOn} />
            </>
          ) : (
            <p className="text-muted">This site sends no emails.</p>
          )
        }
      </Loaded>
    </Card>
  );
}

function Switch({ savedIsOn }: { savedIsOn: boolean }) {
  const { mutate, status, variables, error } = useSetting("PUT /api/digest", digestOptions);
  const isSaving = status === "pending";
  const isOn = isSaving ? variables.body.isOn : savedIsOn;
  const result = isOn ? "You will get the weekly email." : "You will not get the weekly email any more.";
  return (
    <div>
      <Checkbox
        name="Send me the weekly email"
        checked={isOn}
        onChange={(checked) => !isSaving && mutate({ body: { isOn: checked } })}
      />
      <p aria-live="polite" className={status === "error" ? "text-danger" : "sr-only"}>
        {status === "error" && errorText(error, "Failed to save this. Please try again.")}
        {status === "success" && result}
      </p>
    </div>
  );
}

/** The link in an email switches it off. */
const digestOptions = queryOf("GET /api/digest");
