import { useQueryClient } from "@tanstack/react-query";
import { messages } from "@tapthru/proto/rules/messages";
import { buttonClass } from "../../components/ui/button.tsx";
import { Card } from "../../components/ui/card.tsx";
import { PageLink } from "../../components/ui/links.tsx";
import { Page } from "../../components/ui/page.tsx";
import { sessionsOptions } from "../../features/account/api.ts";
import { DeleteAccount, OwnData } from "../../features/account/delete-account.tsx";
import { Sessions } from "../../features/account/sessions.tsx";
import { ApiKeys } from "../../features/api-keys/api-keys.tsx";
import { Digest } from "../../features/digest/digest.tsx";
import { LinkPatterns } from "../../features/link-patterns/link-patterns.tsx";
import { useEmailConfirmation } from "../../features/session/profile/email-form.tsx";
import { useLoginRenewal } from "../../features/session/profile/password-form.tsx";
import { Profile } from "../../features/session/profile/profile.tsx";
import { useSession } from "../../features/session/session-context.tsx";
import { Webhooks } from "../../features/webhooks/webhooks.tsx";
import { paths } from "../paths.ts";
import { useLogOut } from "../use-log-out.ts";

export default function Account() {
  const queryClient = useQueryClient();
  const { user } = useSession();
  const logOut = useLogOut();
  const confirmation = useEmailConfirmation();
  const renewLogin = useLoginRenewal();
  const logOutAfterDeletion = useLogOut(messages.accountDeleted);
  return (
    <Page layout="airy" title={messages.yourAccount}>
      <div className="flex flex-col gap-5">
        <Profile onPasswordChanged={() => queryClient.invalidateQueries(sessionsOptions)} />
        <Sessions onLoggedOut={logOut} />
        <Card title={messages.stores}>
          <p className="leading-6 text-pretty text-muted">{messages.storesText}</p>
          <div className="mt-4 flex flex-col">
            <PageLink to={paths.stores} className={buttonClass("outline")}>
              {messages.manageStores}
            </PageLink>
          </div>
        </Card>
        <Card title={messages.amazonAds}>
          <p className="leading-6 text-pretty text-muted">{messages.amazonAdsText}</p>
          <div className="mt-4 flex flex-col">
            <PageLink to={paths.amazonAdsAuth} className={buttonClass("outline")}>
              {messages.manageAmazonAds}
            </PageLink>
          </div>
        </Card>
        <Card title={messages.sharing}>
          <p className="leading-6 text-pretty text-muted">{messages.sharingText}</p>
          <div className="mt-4 flex flex-col">
            <PageLink to={paths.share} className={buttonClass("outline")}>
              {messages.howToShare}
            </PageLink>
          </div>
        </Card>
        <ApiKeys />
        <LinkPatterns />
        <Webhooks />
        {user && <Digest email={user.email} confirmation={confirmation} />}
        <OwnData />
        {user && (
          <DeleteAccount
            email={user.email}
            renewLogin={renewLogin}
            onDeleted={logOutAfterDeletion}
          />
        )}
      </div>
    </Page>
  );
}
