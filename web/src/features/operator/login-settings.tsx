import { queryOptions, useQuery } from "@tanstack/react-query";
import { messages } from "@tapthru/proto/rules/messages";
import type { ReactNode } from "react";
import { CopyButton } from "../../components/copy-button.tsx";
import { Card } from "../../components/ui/card.tsx";
import { useConfig } from "../../lib/config.ts";
import { callApi } from "../../lib/http/call-api.ts";
import { SETTINGS_QUERY } from "../../lib/http/query-presets.ts";

const loginSettingsOptions = queryOptions({
  queryKey: ["/api/operator/login"],
  queryFn: ({ signal }) => callApi("GET", "/api/operator/login", { signal }),
  ...SETTINGS_QUERY,
});

/** How people log in to this installation, and what to enter at an OpenID provider. */
export function LoginSettings() {
  const { hasPasswordLogin } = useConfig();
  const { data, isError } = useQuery(loginSettingsOptions);
  return (
    <Card title={messages.loginSettings}>
      <p className="mb-4 leading-6 text-pretty text-muted">{messages.loginSettingsText}</p>
      {isError && <p role="alert">{messages.loginSettingsNotLoaded}</p>}
      {data && (
        <dl className="divide-y divide-line">
          <Setting name={messages.loginProvider}>
            {hasPasswordLogin ? messages.loginProviders[data.provider] : messages.noPasswordLogin}
          </Setting>
          <Setting name={messages.signUpSetting}>{messages.signUpSettings[data.signUp]}</Setting>
          <Setting name={messages.emailSetting}>
            {data.sendsEmail ? messages.sendsEmail : messages.sendsNoEmail}
          </Setting>
          <Setting name={messages.openIdSetting}>
            {data.openIdConnect
              ? messages.openIdProvider(data.openIdConnect.name, data.openIdConnect.issuer)
              : messages.openIdNotConfigured}
          </Setting>
          <Setting name={messages.openIdCallback} hint={messages.openIdCallbackText}>
            <code className="min-w-0 text-code">{data.openIdCallbackUrl}</code>
            <CopyButton
              text={data.openIdCallbackUrl}
              label={messages.copyCallback}
              success={messages.callbackCopied}
              failure={messages.failedToCopyByHand}
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
