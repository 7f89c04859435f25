import { queryOptions, useQuery } from "@tanstack/react-query";
import type { ReactNode } from "react";
import { CopyButton, FAILED_TO_COPY_BY_HAND } from "../../components/copy-button.tsx";
import { Card } from "../../components/ui/card.tsx";
import { useConfig } from "../../lib/config.ts";
import { callApi } from "../../lib/http/call-api.ts";
import { SETTINGS_QUERY } from "../../lib/http/query-presets.ts";

const LOGIN_PROVIDERS = {
  "built-in": "Stored by this site",
  firebase: "Stored by Firebase",
} as const;

const SIGN_UP_SETTINGS = {
  open: "Everyone can create one",
  invitation: "With an invitation only",
  closed: "No one can create one",
} as const;

const loginSettingsOptions = queryOptions({
  queryKey: ["/api/operator/login"],
  queryFn: ({ signal }) => callApi("GET /api/operator/login", { signal }),
  ...SETTINGS_QUERY,
});

/** How people log in to this installation, and what to enter at an OpenID provider. */
export function LoginSettings() {
  const { hasPasswordLogin } = useConfig();
  const { data, isError } = useQuery(loginSettingsOptions);
  return (
    <Card title="How people log in">
      <p className="mb-4 leading-6 text-pretty text-muted">These settings come from the configuration of this site.</p>
      {isError && <p role="alert">The settings could not be loaded.</p>}
      {data && (
        <dl className="divide-y divide-line">
          <Setting name="Passwords">{hasPasswordLogin ? LOGIN_PROVIDERS[data.provider] : "Not used"}</Setting>
          <Setting name="New accounts">{SIGN_UP_SETTINGS[data.signUp]}</Setting>
          <Setting name="Emails">
            {data.sendsEmail
              ? "Sent by this site"
              : "Not sent: SMTP_FROM is not set. Users cannot reset a password or confirm an address."}
          </Setting>
          <Setting name="OpenID Connect">
            {data.openIdConnect ? `${data.openIdConnect.name}, ${data.openIdConnect.issuer}` : "Not configured"}
          </Setting>
          <Setting name="Callback address" hint="Enter it at the OpenID provider.">
            <code className="min-w-0 text-code">{data.openIdCallbackUrl}</code>
            <CopyButton
              text={data.openIdCallbackUrl}
              label="Copy callback address"
              success="Callback address copied to clipboard"
              failure={FAILED_TO_COPY_BY_HAND}
            />
          </Setting>
        </dl>
      )}
    </Card>
  );
}

interface SettingProps {
  name: string;
  hint?: string;
  children: ReactNode;
}

function Setting({ name, hint, children }: SettingProps) {
  return (
    <div className="py-3 first:pt-0 last:pb-0">
      <dt className="text-sm text-muted">{name}</dt>
      <dd className="flex items-center gap-x-1 wrap-anywhere">{children}</dd>
      {hint && <dd className="text-sm text-muted">{hint}</dd>}
    </div>
  );
}
