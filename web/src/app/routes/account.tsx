import { useQuery } from "@tanstack/react-query";
import { accountDeleted } from "@tapthru/proto/accounts";
import { Card } from "../../components/ui/card.tsx";
import { Page } from "../../components/ui/page.tsx";
import { ComplianceReport } from "../../features/account/compliance-report.tsx";
import { AmazonAds } from "../../features/amazon-ads/amazon-ads.tsx";
import { ApiKeys } from "../../features/api-keys/api-keys.tsx";
import { Stores } from "../../features/channels/stores.tsx";
import { Domains } from "../../features/domains/domains.tsx";
import { linkStoresOptions } from "../../features/links/list/list-links.ts";
import { AccountSwitch, Members } from "../../features/members/members.tsx";
import { AccountRouting } from "../../features/routing/routing.tsx";
import { ConfirmEmail } from "../../features/session/profile/confirm-email.tsx";
import { DeleteAccount } from "../../features/session/profile/delete-account.tsx";
import { Profile } from "../../features/session/profile/profile.tsx";
import { WeeklyEmail } from "../../features/session/profile/weekly-email.tsx";
import { useSession } from "../../features/session/session-context.tsx";
import { Webhooks } from "../../features/webhooks/webhooks.tsx";
import { Can, useChosenAccount } from "../../kit/can.tsx";
import { DownloadButton } from "../../kit/download-button.tsx";
import { useConfig } from "../../lib/config.ts";
import { useLogOut } from "../use-log-out.ts";
import NotFound from "./not-found.tsx";

export function ProfilePage() {
  return (
    <>
      <Profile />
      <ConfirmEmail />
    </>
  );
}

export function AlertsPage() {
  const isOwn = useChosenAccount() === null;
  const isOperator = useSession().user?.isOperator ?? false;
  return (
    <>
      <Can call="GET /api/webhooks" what="see alerts">
        <ConfirmEmail />
        <Webhooks isOperator={isOperator && isOwn} isAlert />
      </Can>
      {isOwn && <WeeklyEmail />}
    </>
  );
}

export function StoresPage() {
  const { data, isError } = useQuery(linkStoresOptions);
  return (
    <>
      <Stores linkStores={isError ? [] : data} />
      <AccountRouting />
    </>
  );
}

export function DomainsPage() {
  const { hasDomains } = useConfig();
  if (!hasDomains) return <NotFound />;
  return (
    <Page layout="section" title="Own domains">
      <Domains />
    </Page>
  );
}

export function MembersPage() {
  return (
    <>
      <AccountSwitch />
      <Can call="POST /api/members">
        <ConfirmEmail />
      </Can>
      <Members />
    </>
  );
}

export function ApiPage() {
  const isOwn = useChosenAccount() === null;
  const isOperator = useSession().user?.isOperator ?? false;
  return (
    <>
      <ConfirmEmail />
      <ApiKeys isOperator={isOperator && isOwn} />
      <Webhooks isOperator={isOperator && isOwn} />
    </>
  );
}

export function OwnDataPage() {
  const { user } = useSession();
  const logOut = useLogOut(accountDeleted.message);
  const site = useConfig()
    .productName.toLowerCase()
    .replace(/[^a-z0-9]+/g, "-");
  return (
    <>
      <ComplianceReport />
      <Card title="A copy of your data">
        <p className="mb-4 leading-6 text-pretty text-muted">
          Everything we store about you in one file, such as your account, your links, your tags and your sessions.
        </p>
        <DownloadButton
          label="Download your data"
          file={() => ({ path: "/api/account/export", name: `${site}-account`, type: "json" })}
        />
      </Card>
      {user && <DeleteAccount email={user.email} onDeleted={logOut} />}
    </>
  );
}

export function AmazonAdsPage() {
  return (
    <>
      <ConfirmEmail />
      <AmazonAds />
    </>
  );
}
