import {
  ACCOUNT_DELETION_MEMORY_MS,
  ANONYMOUS_LINK_EXPIRY_MS,
  CLAIM_COOKIE_LIFETIME_MS,
  IDEMPOTENCY_KEY_LIFETIME_MS,
  REPEATED_CREATE_WINDOW_MS,
  REPORT_LIFETIME_MS,
  SESSION_ABSOLUTE_MS,
  SESSION_IDLE_MS,
} from "@tapthru/proto/rules/limits";
import { messages } from "@tapthru/proto/rules/messages";
import type { ReactNode } from "react";
import { useConfig } from "../../lib/config.ts";
import { Items, MailLink, Policy, Section } from "./policy.tsx";

const MINUTE_MS = 60_000;
const HOUR_MS = 60 * MINUTE_MS;
const DAY_MS = 24 * HOUR_MS;

/** True to what the services do: whoever changes what is kept, or for how long, changes this too. */
export function SitePolicy({ amazonAdsPolicy }: { amazonAdsPolicy: ReactNode }) {
  const { productName, contactEmail } = useConfig();
  return (
    <Policy title={messages.privacyPolicy} dates="Effective and last updated 20 November 2026">
      <Section heading="In short">
        <p>
          {productName} makes short links to Amazon. It keeps what that takes and no more: no
          advertising, no tracking across sites, no profile of anybody who follows a link.
        </p>
      </Section>
      <Section heading="When you follow a link">
        <p>
          We look at your browser's name for itself, to open the Amazon app where there is one, and
          pass you on to Amazon. We count visits by kind of device and app. Nothing of that says who
          you are, and no cookie is set. From then on Amazon's own privacy notice applies.
        </p>
      </Section>
      <Section heading="When you make a link">
        <Items
          items={{
            "The link":
              "The address you pasted, its short code and when it was made. Anybody who knows the short address can see where it leads.",
            "Without an account": `The link ends after ${ANONYMOUS_LINK_EXPIRY_MS / DAY_MS} days and is then deleted. A cookie with a random number, kept for ${CLAIM_COOKIE_LIFETIME_MS / DAY_MS} days, lets you take the link into an account later; with the link we store only a fingerprint of that number.`,
            "With an account": "The link stays until you delete it.",
            "Repeated requests": `So that a lost answer does not make a second link, we remember fingerprints of who made which link for ${REPEATED_CREATE_WINDOW_MS / MINUTE_MS} minutes, and of a request's own key for ${IDEMPOTENCY_KEY_LIFETIME_MS / HOUR_MS} hours.`,
            "Ended links":
              "Of a deleted or expired link we keep the short code, whether it was deleted or expired, and when, so that the code is never given to anybody else. Where it led is gone.",
          }}
        />
      </Section>
      <Section heading="When you have an account">
        <Items
          items={{
            "Your account":
              "Your username, e-mail address and the number that Google gives your login. They stay as long as the account does.",
            "Your password":
              "Google's Firebase Authentication handles passwords and logins for us. We never store your password.",
            "Your sessions": `While you are logged in a cookie names your session. It ends when you log out, after ${SESSION_IDLE_MS / DAY_MS} days without a visit, and after ${SESSION_ABSOLUTE_MS / DAY_MS} days at the latest. With it we keep when it began, when it was last used, and the browser's name for itself.`,
            "Amazon Ads":
              "If you connect an Amazon advertising account, we keep its region, the name and e-mail address that Amazon tells us, its advertising profiles and, encrypted, the key by which Amazon lets us ask. Disconnecting erases all of it.",
            "Deleting it": `When you delete your account, your links stop working, and all of the above is deleted at once or, should part of our service be away, as soon as it is back. For ${ACCOUNT_DELETION_MEMORY_MS / HOUR_MS} hour we remember the number of the login, so that nothing makes the account anew.`,
          }}
        />
      </Section>
      <Section heading="When you report a link">
        <p>
          We count how often a link was reported, and for what reason, until{" "}
          {REPORT_LIFETIME_MS / DAY_MS} days after the last report. Nothing is kept of who reported
          it.
        </p>
      </Section>
      <Section heading="What your browser keeps">
        <p>
          Beside those two cookies your browser remembers the theme you chose, the version of this
          site, whether you are logged in, whether a logout is still to be confirmed, and, until you
          close the tab, a link you are about to take into an account. If you log in, Google's
          software keeps your login there too.
        </p>
      </Section>
      <Section heading="Logs and limits">
        <p>
          Our logs hold which page was asked for, when, and with what outcome; they hold neither
          your network address nor anything behind the question mark of an address. Only while we
          investigate an attack, for a few days, may they hold network addresses. To limit abuse we
          count requests for a minute under a code computed from your network address. Its key
          changes every day, and the address itself is not stored.
        </p>
      </Section>
      <Section heading="Who else is involved">
        <Items
          items={{
            Amazon:
              "Pictures of products come to your browser straight from Amazon's servers, which see your network address. We ask Amazon what a linked page shows without telling it who you are.",
            Google: "Handles logins, as said above, for those who log in.",
          }}
        />
        <p>We sell no data, and share none with anybody else unless the law obliges us to.</p>
        <p>{amazonAdsPolicy}</p>
      </Section>
      <Section heading="Your rights and how to reach us">
        <p>
          You can delete your links yourself. On your account's page you can download everything we
          keep about you, and delete your account with all of it. Write to{" "}
          <MailLink address={contactEmail} /> to learn what we hold about you, to have it corrected
          or deleted, or to ask anything else.
        </p>
      </Section>
    </Policy>
  );
}
