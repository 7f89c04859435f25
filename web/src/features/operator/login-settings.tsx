import { useQuery } from "@tanstack/react-query";
import { CopyButton, FAILED_TO_COPY_BY_HAND } from "../../components/copy-button.tsx";
import { Card } from "../../components/ui/card.tsx";
import { Facts } from "../../components/ui/facts.tsx";
import { useConfig } from "../../lib/config.ts";
import { queryOf } from "../../lib/http/query-presets.ts";

const LOGIN_PROVIDERS = {
  "built-in": "Stored by this site",
  firebase: "Stored by Firebase",
} as const;

const SIGN_UP_SETTINGS = {
  open: "Everyone can create one",
  invitation: "With an invitation only",
  closed: "No one can create one",
} as const;

export function LoginSettings() {
  const { hasPasswordLogin } = useConfig();
  const { data, isError } = useQuery(queryOf("GET /api/operator/login"));
  return (
    <Card title="How people log in">
      <p className="mb-4 leading-6 text-pretty text-muted">These settings come from the configuration of this site.</p>
      {isError && <p role="alert">The settings could not be loaded.</p>}
      {data && (
        <Facts
          look="rows"
          facts={[
            ["Passwords", hasPasswordLogin ? LOGIN_PROVIDERS[data.provider] : "Not used"],
            ["New accounts", SIGN_UP_SETTINGS[data.signUp]],
            [
              "Emails",
              data.sendsEmail
                ? "Sent by this site"
                : "Not sent: SMTP_FROM is not set. Users cannot reset a password or confirm an address.",
            ],
            [
              "OpenID Connect",
              data.openIdConnect ? `${data.openIdConnect.name}, ${data.openIdConnect.issuer}` : "Not configured",
            ],
            [
              "Callback address",
              <span key="address" className="flex items-center gap-x-1">
                <code className="min-w-0 text-sm">{data.openIdCallbackUrl}</code>
                <CopyButton
                  text={data.openIdCallbackUrl}
                  label="Copy callback address"
                  failure={FAILED_TO_COPY_BY_HAND}
                />
              </span>,
              "Enter it at the OpenID provider.",
            ],
          ]}
        />
      )}
    </Card>
  );
}
