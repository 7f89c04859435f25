import { useQuery } from "@tanstack/react-query";
import type { AmazonAdsConnection, AmazonAdsResult } from "@tapthru/proto/amazon-ads";
import { paths } from "@tapthru/proto/rules/paths";
import { CircleAlert, CircleCheck } from "lucide-react";
import { type ReactNode, useEffect, useRef, useState } from "react";
import { useSearchParams } from "react-router-dom";
import { textLinkClass } from "../../components/ui/button.tsx";
import { Form, SubmitButton } from "../../components/ui/form.tsx";
import { OutsideLink, PageLink } from "../../components/ui/links.tsx";
import { Loaded } from "../../components/ui/loaded.tsx";
import { Notice } from "../../components/ui/notice.tsx";
import { FormCard, Page } from "../../components/ui/page.tsx";
import { useErrorToast, useToast } from "../../components/ui/toaster.tsx";
import { Action } from "../../kit/action.tsx";
import { formatLongDay } from "../../lib/dates.ts";
import { callApi } from "../../lib/http/call-api.ts";
import { errorText } from "../../lib/http/http-client.ts";
import { queryOf } from "../../lib/http/query-presets.ts";
import { useFocusAfterChange } from "../../lib/use-focus-after-change.ts";
import { useSingleMutation } from "../../lib/use-single-mutation.ts";

interface AmazonAdsProps {
  /** Shown until the connection is known. */
  fallback: ReactNode;
}

/** Says first whether an account is connected. Then shows that account, or the form that connects one. */
export function AmazonAds({ fallback }: AmazonAdsProps) {
  const query = useQuery(queryOf("GET /api/amazon-ads/connection"));
  const { data, isFetching } = query;
  const { result, clearResult } = useResult();
  const toast = useToast();

  const isConnected = data?.connection != null;
  const hasJustConnected = result === "connected" && isConnected;
  useEffect(() => {
    if (!hasJustConnected) return;
    toast({ title: "Success", description: "Amazon Ads is connected." });
    clearResult();
  });

  const content = useRef<HTMLDivElement>(null);
  useFocusAfterChange(String(isConnected), content);

  if (!data && isFetching) return fallback;
  const heading =
    data?.connection === null
      ? {
          title: "Connect Amazon Ads",
          intro: "Login with your Amazon account to connect your advertising data",
        }
      : { title: "Amazon Ads" };
  return (
    <Page layout="section" {...heading}>
      <div ref={content} tabIndex={-1} className="flex flex-col gap-4 outline-none">
        {(result === "denied" || result === "failed") && (
          <Notice icon={CircleAlert} role="alert">
            {FAILURES[result]}
          </Notice>
        )}
        <Loaded data={data} query={query} failed="Your connection could not be loaded.">
          {({ connection }) => <Connection connection={connection} />}
        </Loaded>
      </div>
      <p className="mt-6 text-center text-md">
        <PageLink to={paths.amazonAdsPrivacy} className={textLinkClass}>
          Privacy policy for the Amazon Ads API integration
        </PageLink>
      </p>
    </Page>
  );
}

function Connection({ connection }: { connection: AmazonAdsConnection | null }) {
  return (
    <FormCard>
      <div className="flex flex-col gap-6">
        {connection?.state === "revoked" && (
          <Notice icon={CircleAlert}>Amazon says that you withdrew the permission. Log in again.</Notice>
        )}
        {(connection === null || connection.state === "revoked") && <LoginForm />}
        {connection && <ConnectedAccount connection={connection} />}
        <p className="text-sm text-pretty text-muted">
          We read what Amazon Attribution counted for your campaigns, once a day, and nothing else.{" "}
          {connection && (
            <PageLink to={paths.attribution} className={textLinkClass}>
              Your figures
            </PageLink>
          )}
        </p>
      </div>
    </FormCard>
  );
}

/** The Amazon page where users withdraw their consent. */
const AMAZON_APPS_URL = "https://www.amazon.com/ap/adam";

function ConnectedAccount({ connection }: { connection: AmazonAdsConnection }) {
  const { accountName, accountEmail, connectedAt } = connection;
  const name = accountName ?? accountEmail;
  return (
    <>
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
        variant="danger"
        done="Amazon Ads is disconnected. Your Amazon Ads data was deleted."
      />
      <p className="text-sm text-pretty text-muted">
        Disconnecting deletes your Amazon Ads data here. You can also remove the permission at Amazon:{" "}
        <OutsideLink href={AMAZON_APPS_URL} target="_blank" rel="noopener" className={textLinkClass}>
          Manage Login with Amazon
        </OutsideLink>
      </p>
    </>
  );
}

const FAILURES = {
  denied: "You didn't allow access at Amazon, so nothing was connected.",
  failed: "Amazon Ads could not be connected. Please try again.",
};
const RESULTS: readonly AmazonAdsResult[] = ["connected", "denied", "failed"];

/** The result of the Amazon login, from the query string. Removes it from the URL, so that it is shown once. */
function useResult() {
  const [query, setQuery] = useSearchParams();
  const [result, setResult] = useState(() => RESULTS.find((known) => known === query.get("result")) ?? null);
  const isInAddress = query.has("result");
  useEffect(() => {
    if (isInAddress) setQuery({}, { replace: true });
  }, [isInAddress, setQuery]);
  return { result, clearResult: () => setResult(null) };
}

/** Requests the auth URL and goes to Amazon. Stays busy until the browser has left the page. */
function LoginForm() {
  const showError = useErrorToast();
  const [isNavigating, setNavigating] = useState(false);
  const { mutate, isPending } = useSingleMutation<string, void>({
    mutationFn: getAuthUrl,
    onSuccess(url) {
      setNavigating(true);
      location.assign(url);
    },
    onError: (error) => showError(errorText(error, "Failed to initiate Amazon login. Please try again.")),
  });

  useEffect(() => {
    // The back/forward cache may restore the page in its busy state.
    const resetNavigating = () => setNavigating(false);
    addEventListener("pageshow", resetNavigating);
    return () => removeEventListener("pageshow", resetNavigating);
  }, []);

  const isConnecting = isPending || isNavigating;
  return (
    <Form pending={isConnecting} onSubmit={() => mutate()}>
      <SubmitButton pending={isConnecting}>{isConnecting ? "Connecting..." : "Login with Amazon"}</SubmitButton>
    </Form>
  );
}

async function getAuthUrl(): Promise<string> {
  try {
    return (await callApi("GET /api/amazon-ads/auth-url", {})).url;
  } catch (cause) {
    throw new Error("Failed to get authentication URL", { cause });
  }
}
