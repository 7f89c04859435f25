import { useQuery } from "@tanstack/react-query";
import type { AmazonAdsConnection, AmazonAdsResult } from "@tapthru/proto/http/amazon-ads";
import { messages } from "@tapthru/proto/rules/messages";
import { CircleAlert, CircleCheck } from "lucide-react";
import { type ReactNode, useEffect, useRef, useState } from "react";
import { useSearchParams } from "react-router-dom";
import { LoadingFailed } from "../../components/ui/empty-state.tsx";
import { Notice } from "../../components/ui/notice.tsx";
import { FormCard, Page } from "../../components/ui/page.tsx";
import { useToast } from "../../components/ui/toaster.tsx";
import { connectionOptions } from "./api.ts";
import { ConnectedAccount, ConsentNote, DisconnectButton } from "./connected-account.tsx";
import { LoginForm } from "./login-form.tsx";

interface AmazonAdsProps {
  /** Shown until the connection is known. */
  fallback: ReactNode;
  /** A link to the privacy policy. */
  policy: ReactNode;
}

/** Says first whether an account is connected. Then shows that account, or the form that connects one. */
export function AmazonAds({ fallback, policy }: AmazonAdsProps) {
  const { data, isFetching, refetch } = useQuery(connectionOptions);
  const { result, clearResult } = useResult();
  const toast = useToast();

  const isConnected = data?.connection != null;
  const hasJustConnected = result === "connected" && isConnected;
  useEffect(() => {
    if (!hasJustConnected) return;
    toast({ title: messages.success, description: messages.adsConnected });
    clearResult();
  });

  const wasConnected = useRef(false);
  const content = useRef<HTMLDivElement>(null);
  useEffect(() => {
    // The disconnect button, which had the focus, is gone.
    if (wasConnected.current && !isConnected) content.current?.focus();
    wasConnected.current = isConnected;
  }, [isConnected]);

  if (!data && isFetching) return fallback;
  const { title, text } = headingOf(data?.connection);
  return (
    <Page layout="section" title={title} intro={text}>
      <div ref={content} tabIndex={-1} className="flex flex-col gap-4 outline-none">
        {result === "denied" && <Alert>{messages.adsDenied}</Alert>}
        {result === "failed" && <Alert>{messages.adsFailed}</Alert>}
        {data ? (
          <Connection connection={data.connection} />
        ) : (
          <LoadingFailed
            message={messages.errorLoadingAds}
            action={messages.tryAgain}
            onAction={() => refetch()}
          />
        )}
      </div>
      <p className="mt-6 text-center text-md">{policy}</p>
    </Page>
  );
}

/** Undefined: not known whether there is a connection. */
function headingOf(connection: AmazonAdsConnection | null | undefined) {
  if (connection === null) {
    return { title: messages.connectAmazonAds, text: messages.connectAmazonAdsText };
  }
  if (connection === undefined) return { title: messages.amazonAds };
  const name = connection.accountName ?? connection.accountEmail;
  if (connection.hasEnded) return { title: messages.amazonAds, text: messages.adsNotConnected };
  return {
    title: messages.amazonAds,
    text: name ? messages.connectedAs(name) : messages.adsConnected,
  };
}

function Connection({ connection }: { connection: AmazonAdsConnection | null }) {
  if (connection === null) {
    return (
      <Card>
        <LoginForm region="na" />
        <p className="text-sm text-pretty text-muted">{messages.adsPurpose}</p>
      </Card>
    );
  }
  const { hasEnded, region } = connection;
  return (
    <>
      {hasEnded && (
        <>
          <Alert>{messages.adsEnded}</Alert>
          <Card>
            <LoginForm region={region} />
          </Card>
        </>
      )}
      <Card>
        {!hasEnded && (
          <h2 className="flex items-center gap-2 text-lg font-semibold tracking-tight">
            <CircleCheck aria-hidden className="size-5 text-accent" />
            {messages.adsConnectedHeading}
          </h2>
        )}
        <ConnectedAccount connection={connection} />
        <p className="text-sm text-pretty text-muted">{messages.adsDataUse}</p>
        <DisconnectButton />
        <ConsentNote />
      </Card>
    </>
  );
}

function Card({ children }: { children: ReactNode }) {
  return (
    <FormCard>
      <div className="flex flex-col gap-6">{children}</div>
    </FormCard>
  );
}

function Alert({ children }: { children: string }) {
  return (
    <Notice icon={CircleAlert} role="alert">
      {children}
    </Notice>
  );
}

const RESULTS: readonly AmazonAdsResult[] = ["connected", "denied", "failed"];

/** The result of the Amazon login, from the query string. Removes it from the URL, so that it is shown once. */
function useResult() {
  const [query, setQuery] = useSearchParams();
  const [result, setResult] = useState(
    () => RESULTS.find((known) => known === query.get("result")) ?? null,
  );
  const isInAddress = query.has("result");
  useEffect(() => {
    if (isInAddress) setQuery({}, { replace: true });
  }, [isInAddress, setQuery]);
  return { result, clearResult: () => setResult(null) };
}
