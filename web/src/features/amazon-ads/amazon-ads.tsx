import { useQuery } from "@tanstack/react-query";
import type { AmazonAdsConnection } from "@tapthru/proto/amazon-ads";
import { paths } from "@tapthru/proto/rules/paths";
import { CircleAlert, CircleCheck } from "lucide-react";
import { useEffect, useRef, useState } from "react";
import { useSearchParams } from "react-router-dom";
import { textLinkClass } from "../../components/ui/button.tsx";
import { Form, SubmitButton } from "../../components/ui/form.tsx";
import { OutsideLink, PageLink } from "../../components/ui/links.tsx";
import { Loaded } from "../../components/ui/loaded.tsx";
import { Notice } from "../../components/ui/notice.tsx";
import { FormCard } from "../../components/ui/page.tsx";
import { Action } from "../../kit/action.tsx";
import { useCall } from "../../kit/use-call.ts";
import { formatLongDay } from "../../lib/dates.ts";
import { useFocusAfterChange } from "../../lib/focus.ts";
import { queryOf } from "../../lib/http/query-presets.ts";
import { openOutside } from "../../lib/leave.ts";

export function AmazonAds() {
  const query = useQuery(queryOf("GET /api/amazon-ads/connection"));
  const failure = useFailure();
  const content = useRef<HTMLDivElement>(null);
  useFocusAfterChange(query.data && String(query.data.connection !== null), content);
  return (
    <>
      <div ref={content} tabIndex={-1} className="flex flex-col gap-4 outline-none">
        {failure !== undefined && (
          <Notice icon={CircleAlert} role="alert">
            {failure}
          </Notice>
        )}
        <FormCard>
          <Loaded data={query.data} query={query} failed="Your connection could not be loaded.">
            {({ connection }) => (connection === null ? <LoginForm /> : <ConnectedAccount connection={connection} />)}
          </Loaded>
        </FormCard>
      </div>
      <p className="text-center text-md">
        <PageLink to={paths.amazonAdsPrivacy} className={textLinkClass}>
          Privacy policy for the Amazon Ads API integration
        </PageLink>
      </p>
    </>
  );
}

const FAILURES = new Map([
  ["denied", "You didn't allow access at Amazon, so nothing was connected."],
  ["failed", "Amazon Ads could not be connected. Please try again."],
]);

/** Why the login at Amazon failed, by the address. The result is removed from it, so that this is shown once. */
function useFailure(): string | undefined {
  const [query, setQuery] = useSearchParams();
  const [failure] = useState(() => FAILURES.get(query.get("result") ?? ""));
  const isInAddress = query.has("result");
  useEffect(() => {
    if (isInAddress) setQuery({}, { replace: true });
  }, [isInAddress, setQuery]);
  return failure;
}

function ConnectedAccount({ connection }: { connection: AmazonAdsConnection }) {
  const { accountName, accountEmail, connectedAt } = connection;
  const name = accountName ?? accountEmail;
  return (
    <div className="flex flex-col gap-6">
      <div className="wrap-anywhere">
        <h2 className="flex items-center gap-2 text-lg font-semibold tracking-tight">
          <CircleCheck aria-hidden className="size-5 text-accent" />
          {name ? `Connected as ${name}` : "Amazon Ads is connected."}
        </h2>
        {accountName && accountEmail && <p className="mt-1 text-sm text-muted">{accountEmail}</p>}
        <p className="mt-1 text-sm text-muted">{`Connected since ${formatLongDay(connectedAt)}`}</p>
      </div>
      <Action
        call="DELETE /api/amazon-ads/connection"
        input={{}}
        label="Disconnect"
        question="Are you sure you want to disconnect Amazon Ads? We will delete your Amazon Ads data."
        variant="remove"
        done="Amazon Ads is disconnected. Your Amazon Ads data was deleted."
      />
      <p className="text-sm text-pretty text-muted">
        Disconnecting deletes your Amazon Ads data here. You can also remove the permission at Amazon:{" "}
        <OutsideLink href="https://www.amazon.com/ap/adam" target="_blank" rel="noopener" className={textLinkClass}>
          Manage Login with Amazon
        </OutsideLink>
      </p>
    </div>
  );
}

/** Requests the auth URL and goes to Amazon. Stays busy until the browser has left the page. */
function LoginForm() {
  const [isNavigating, setNavigating] = useState(false);
  const { call, isPending } = useCall("GET /api/amazon-ads/auth-url", {
    failed: "Failed to initiate Amazon login. Please try again.",
  });

  useEffect(() => {
    // The back/forward cache may restore the page in its busy state.
    const resetNavigating = () => setNavigating(false);
    addEventListener("pageshow", resetNavigating);
    return () => removeEventListener("pageshow", resetNavigating);
  }, []);

  function navigate(reply?: { url: string }) {
    if (!reply) return;
    setNavigating(true);
    openOutside(reply.url);
  }

  const isConnecting = isPending || isNavigating;
  return (
    <Form pending={isConnecting} onSubmit={() => call({}, { onDone: navigate })}>
      <SubmitButton pending={isConnecting}>{isConnecting ? "Connecting..." : "Login with Amazon"}</SubmitButton>
    </Form>
  );
}
