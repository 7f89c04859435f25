import { useQuery } from "@tanstack/react-query";
import { Badge } from "../../components/ui/badge.tsx";
import { Card } from "../../components/ui/card.tsx";
import { Facts } from "../../components/ui/facts.tsx";
import { Loaded } from "../../components/ui/loaded.tsx";
import { Action } from "../../kit/action.tsx";
import { formatMinute } from "../../lib/dates.ts";
import type { ReplyTo } from "../../lib/http/call-api.ts";
import { queryOf } from "../../lib/http/query-presets.ts";
import { formatCount, formatNumber } from "../../lib/locale-formats.ts";

const FEATURE_NAMES: Record<string, string | undefined> = {
  "sign-up": "Sign-up",
  "password-login": "Login with a password",
  "openid-connect": "Login with OpenID Connect",
  firebase: "Accounts of Firebase",
  emails: "Emails",
  domains: "Domains of users, and https",
  webhooks: "Webhooks",
  "page-reads": "Reading product pages",
  "creators-api": "Amazon's Creators API",
  "amazon-ads": "Amazon Ads",
  "rate-limits": "Limits of requests",
};

const REFETCH_INTERVAL_MS = 10_000;

type SystemState = ReplyTo<"GET /api/operator/system">;

export function System() {
  const query = useQuery({ ...queryOf("GET /api/operator/system"), refetchInterval: REFETCH_INTERVAL_MS });
  return (
    <Loaded data={query.data} query={query} failed="The state could not be loaded.">
      {(state) => (
        <>
          {state.failedJobs?.length === 0 && state.failedItems?.count === 0 && (
            <p className="leading-6">Nothing fails.</p>
          )}
          <UntrustedProxy address={state.untrustedProxy} />
          <FailedJobs queues={state.failedJobs} />
          <FailingItems failing={state.failedItems} />
          <Features features={state.features} />
        </>
      )}
    </Loaded>
  );
}

function UntrustedProxy({ address }: { address: string | null }) {
  if (address === null) return null;
  return (
    <Card title="A proxy is not trusted">
      <p className="leading-6 text-pretty text-muted">
        This request came from {address}, which names another address as yours. If it is your proxy, all its visitors
        count as one: they share limits and a country. Add it to the gateway's TRUSTED_PROXIES, in Compose
        GATEWAY_TRUSTED_PROXIES. For Cloudflare the value is <code className="text-sm">cloudflare</code>.
      </p>
    </Card>
  );
}

function Features({ features }: Pick<SystemState, "features">) {
  return (
    <Card title="Features">
      <p className="mb-4 leading-6 text-pretty text-muted">
        A feature is off if a setting below it is missing, or turns it off. Emails also need the SMTP_URL of the worker.
      </p>
      <ul className="divide-y divide-line">
        {features.map(({ name, isOn, settings }) => (
          <li key={name} className="py-3 first:pt-0 last:pb-0">
            <p className="flex flex-wrap items-center gap-x-2 font-medium">
              {FEATURE_NAMES[name] ?? name}
              <Badge variant="quiet">{isOn ? "On" : "Off"}</Badge>
            </p>
            {settings.length > 0 && (
              <p className="mt-0.5 text-sm wrap-anywhere text-muted">
                Settings: <code className="text-sm">{settings.join(", ")}</code>
              </p>
            )}
          </li>
        ))}
      </ul>
    </Card>
  );
}

/** @param queues null: Redis does not respond */
function FailedJobs({ queues }: { queues: SystemState["failedJobs"] }) {
  if (queues?.length === 0) return null;
  return (
    <Card title="Failed jobs">
      {queues === null ? (
        <p role="alert">Does not respond within a second.</p>
      ) : (
        <>
          <p className="mb-4 leading-6 text-pretty text-muted">
            The log of the worker says why they failed. All but emails are queued again.
          </p>
          <Facts look="rows" facts={queues.map(({ job, count }) => [job, formatNumber(count)])} />
        </>
      )}
    </Card>
  );
}

/** @param failing null: Postgres does not respond */
function FailingItems({ failing }: { failing: SystemState["failedItems"] }) {
  if (failing?.count === 0) return null;
  return (
    <Card title="Failing items">
      {failing === null ? (
        <p role="alert">Does not respond within a second.</p>
      ) : (
        <>
          <p className="mb-4 leading-6 text-pretty text-muted">
            Rows, users, domains or files that fail in a job. Each is retried after a pause that grows to six hours; the
            others continue.
          </p>
          {failing.items.length < failing.count && (
            <p className="mb-4 text-sm text-muted">
              {`The next ${formatNumber(failing.items.length)} of ${formatNumber(failing.count)}.`}
            </p>
          )}
          <Action
            call="POST /api/operator/failed-items/retry"
            input={{}}
            label="Retry now"
            done="They are retried in the next round of their jobs."
          />
          <ul className="mt-3 divide-y divide-line">
            {failing.items.map(({ kind, key, error, attempts, firstFailedAt, retryAt }) => (
              <li key={`${kind} ${key}`} className="py-3 last:pb-0">
                <p className="wrap-anywhere">{error}</p>
                <p className="mt-0.5 text-sm wrap-anywhere text-muted">
                  <code className="block text-sm">
                    {kind} {key}
                  </code>
                  {`Since ${formatMinute(firstFailedAt)}, ${formatCount(attempts, "attempt")}, next attempt ${formatMinute(retryAt)}`}
                </p>
              </li>
            ))}
          </ul>
        </>
      )}
    </Card>
  );
}
