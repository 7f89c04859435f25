import {
  ABUSE_REPORT_LIFETIME_MS,
  ACCOUNT_DELETION_RETENTION_MS,
  ANONYMOUS_LINK_EXPIRY_MS,
  APP_OPENING_MIN_REPORTS,
  CLAIM_COOKIE_LIFETIME_MS,
  DELETED_LINK_LIFETIME_MS,
  EARNINGS_PREVIEW_LIFETIME_MS,
  EXPIRED_KEY_LIFETIME_MS,
  IDEMPOTENCY_KEY_LIFETIME_MS,
  KNOWN_BROWSER_LIFETIME_MS,
  REPEATED_CREATE_WINDOW_MS,
  SESSION_ABSOLUTE_MS,
  SESSION_IDLE_MS,
  WEBHOOK_DELIVERY_LIFETIME_MS,
} from "@tapthru/proto/rules/limits";
import { paths } from "@tapthru/proto/rules/paths";
import { textLinkClass } from "../../components/ui/button.tsx";
import { OutsideLink, PageLink } from "../../components/ui/links.tsx";
import { useConfig } from "../../lib/config.ts";
import { formatList } from "../../lib/locale-formats.ts";
import { STORED_TEXTS } from "../../lib/stored-texts.ts";
import { MailLink, Policy, PolicyList, Section } from "./policy.tsx";

const MINUTE_MS = 60_000;
const HOUR_MS = 60 * MINUTE_MS;
const DAY_MS = 24 * HOUR_MS;

const FIREBASE_LOGIN = {
  "Your password":
    "Google's Firebase Authentication handles passwords and logins for us. We never store your password.",
};
const BUILT_IN_LOGIN = {
  "Your password": `We store a hash, from which it cannot be read. Another cookie keeps your login at most ${SESSION_ABSOLUTE_MS / DAY_MS} days, of which we store when it began and your browser's user agent.`,
  "Your browser": `A cookie remembers for ${KNOWN_BROWSER_LIFETIME_MS / DAY_MS} days that you logged in with this browser, so that failed logins of others do not keep you out. It has the id of your login, and logs nobody in.`,
  "Your further logins":
    "If you use them: encrypted, the key of your authenticator app and your recovery codes; the names and public keys of your passkeys. We delete them when you turn them off, delete them or delete your account.",
};

/** Must match what the services do. Update it with every change of what is stored or for how long. */
export default function SitePolicy() {
  const { productName, contactEmail, firebase, openIdConnect } = useConfig();
  return (
    <Policy title="Privacy policy" dates="Effective and last updated 27 November 2026">
      <Section heading="In short">
        <p>
          {productName} creates short links to Amazon. It stores only what this requires: no advertising, no tracking
          across sites, no profiles of people who follow a link.
        </p>
      </Section>
      <Section heading="When you follow a link">
        <p>
          We read your browser's user agent, to open the Amazon app if you have it, and send you to Amazon. No cookie is
          set. At Amazon, its own privacy notice applies. On a phone, our page shows the picture of the product, which
          your browser loads from Amazon. If the app did not open, or you chose the browser, your browser remembers that
          in its local storage; it is not sent to us.
        </p>
        <p>
          We count visits of each link by time, type of device and app, country, Amazon store, the site that the link
          was on, and whether you came from an ad, a mail or a QR code. Of programs such as search engines we count the
          name. We show these counts to the owner of the link and to those with whom they share them. To estimate how
          many people came, we combine your IP address and user agent with a random number into a hash. We keep a few
          bits of it. The random number is deleted every day, so the hash cannot be traced back to you. We store neither
          your IP address nor your user agent, nor anything else that identifies you. Countries come from a copy of{" "}
          <OutsideLink href="https://db-ip.com" className={textLinkClass}>
            IP Geolocation by DB-IP
          </OutsideLink>{" "}
          on our own servers.
        </p>
        <p>
          For all links together we count how often the Amazon app opened, by day, type of device, and app, and publish
          these counts. Groups with fewer than {APP_OPENING_MIN_REPORTS} visits are not published.
        </p>
      </Section>
      <Section heading="When you create a link">
        <PolicyList
          items={{
            "The link":
              "The address you pasted, its short code and when it was created. Anyone who knows the short link can see where it leads.",
            "Without an account": `The link expires after ${ANONYMOUS_LINK_EXPIRY_MS / DAY_MS} days and is then deleted. A cookie with a random number, kept for ${CLAIM_COOKIE_LIFETIME_MS / DAY_MS} days, lets you add the link to an account later. With the link we store only a hash of that number.`,
            "With an account":
              "The link stays until you delete it. If you choose its short code yourself, we keep the codes that it had before, because they still open it. If you change where it leads, we keep up to 50 of its earlier addresses until you delete it.",
            "Repeated requests": `So that a lost response does not create a second link, we store hashes of who created which link for ${REPEATED_CREATE_WINDOW_MS / MINUTE_MS} minutes, and of the key of each request for ${IDEMPOTENCY_KEY_LIFETIME_MS / HOUR_MS} hours.`,
            "Deleted and expired links": `We keep the short code, whether the link was deleted or expired, and when, so that the code is never used again. A link of an account that you delete is kept for ${DELETED_LINK_LIFETIME_MS / HOUR_MS} hours, so that you can restore it. Then we do not keep its destination. This also applies to codes that you chose yourself: do not put personal data into them.`,
          }}
        />
      </Section>
      <Section heading="When you have an account">
        <PolicyList
          items={{
            "Your account":
              "Your username, email address, the id of your login and when you last logged in. We keep them as long as your account exists. If this site sends emails, and you have confirmed that your address is yours, we write to you when the ways to log in to your account change.",
            ...(firebase ? FIREBASE_LOGIN : BUILT_IN_LOGIN),
            ...(openIdConnect && {
              "Your login at another site": `If you log in with ${openIdConnect.name}, we keep the id that it assigns to you and, encrypted, the tokens that it issues, as long as your account exists.`,
            }),
            "Your sessions": `While you are logged in, a cookie identifies your session. It ends when you log out, after ${SESSION_IDLE_MS / DAY_MS} days without a visit, and after ${SESSION_ABSOLUTE_MS / DAY_MS} days at the latest. We store when it began, when it was last used, and your browser's user agent.`,
            "Your tags":
              "If you save your Associates tag for an Amazon store, or add it to a link, we keep it, to fill it in the next time. We also keep in which stores Amazon OneLink pays your tag, as you said. You can change and remove both. We delete them with your account.",
            "Your domains":
              "If you add a domain of your own, we keep its name, what its DNS had at the last check, and its certificate, until you remove it or delete your account. Certificates are public, and name the domain. We keep the name of the domain and the number of your account after that too, so that no other account gets the domain without a proof.",
            "Your shared clicks":
              "If you share the clicks of a link or label, we keep the name that you gave, the last day, and a hash of the secret link, until then or until you revoke it. Everyone who has the link sees the name, the page of these clicks as you see it, and the short link or how many links the label has.",
            "Your labels":
              "The names and colours of the labels that you create, and which links have them. Only you see them. You can change and delete them. We delete them with your account.",
            "Your API keys": `Their names, permissions and expiry, when each was created and last used, and a hash of each key, until you revoke it or ${EXPIRED_KEY_LIFETIME_MS / DAY_MS} days after it expires.`,
            "Your channels":
              "The names of your channels, and their tags in each store now and earlier. You can change and delete them. We delete them with your account.",
            "Your earnings": `If you import Amazon's reports, we keep their figures by day, tag and product, the names and categories of the products, and the names of the files, until you remove the import or delete your account. The file itself is deleted when you store or refuse it, after ${EARNINGS_PREVIEW_LIFETIME_MS / HOUR_MS} hours at the latest. Only you see your earnings.`,
            "Your webhooks": `If you enter an address to which we send events, we keep it (encrypted if it is one of a chat) and, encrypted, its secret, until you delete the webhook or your account. We send it your links as they are created, changed and deleted or need attention, and what else you chose, such as failing domains. Slack, Discord, Google, Microsoft and Telegram get it if it is an address of theirs. We keep each event, and how the attempts to send it ended, for ${WEBHOOK_DELIVERY_LIFETIME_MS / DAY_MS} days. We do not keep what the address responds.`,
            Members:
              "If you invite others to work in your account, we keep the names that you give them, their roles, and a hash of each invitation, until you remove them, the invitation is used, deleted or expires, or you delete your account. Members see what is in your account, but not how you log in. As a member you see the user name of the account, and its members see yours.",
            "Your activity":
              "We keep what was changed in your account, when, and by whom: you, its members, API keys, our operators or this site itself. You see it under Account, Activity. With each change, also those of visitors without an account, we keep a hash of the network address for 30 days, by which we find who misuses this site. Rows of the list are deleted after the time that the operator of this site has set, by default a year. When you delete your account, we keep only that something was changed, not what.",
            "Your weekly email":
              "If this site sends emails, and you have confirmed that your address is yours, we write to you when links of yours need attention, at most once a week. The email comes through the mail server of this site's operator. Each has a link that ends them. We keep whether you ended them or the mail server did not know your address, a random number that is part of that link, and when we sent the last one, until you delete your account.",
            "Amazon Ads":
              "If you connect an Amazon advertising account, we keep the name and email address that Amazon sends us and, encrypted, the token that gives us access. Disconnecting deletes all of it.",
            "Deleting it": `When you delete your account, your links stop working, and all of the above is deleted at once or, if part of our service is unavailable, as soon as it is available again. For ${ACCOUNT_DELETION_RETENTION_MS / HOUR_MS} hour we remember the id of the login, so that the account is not created again.`,
          }}
        />
      </Section>
      <Section heading="When you report a link">
        <p>
          We store how often a link was reported, and for what reasons, until {ABUSE_REPORT_LIFETIME_MS / DAY_MS} days
          after the last report. We do not store who reported it.
        </p>
      </Section>
      <Section heading="What your browser stores">
        <p>
          {`Besides these cookies, your browser stores ${formatList(Object.values(STORED_TEXTS))}. You can remove the last links from the start page. Logging in moves them to your account.`}
          {firebase && " Google's software then also stores your login there."}
        </p>
      </Section>
      <Section heading="Logs and limits">
        <p>
          Our logs contain which page was requested, when, and with what result. They contain neither your IP address
          nor the part of a web address after its question mark. Only while we investigate an attack, for a few days,
          may they contain IP addresses. To limit abuse, we count requests for a minute under a keyed hash of your IP
          address. The key changes every day, and the address itself is not stored.
        </p>
      </Section>
      <Section heading="Other companies involved">
        <PolicyList
          items={{
            Amazon:
              "Your browser loads product images directly from Amazon's servers, which see your IP address. We request the contents of linked pages from Amazon without identifying you.",
            ...(firebase && { Google: "Handles passwords and logins, as described above." }),
            ...(openIdConnect && {
              [openIdConnect.name]: "Learns that you log in here, if you log in with it.",
            }),
          }}
        />
        <p>We do not sell data, and share it with no one else unless the law requires it.</p>
        <p>
          If you connect an Amazon advertising account, this policy also applies:{" "}
          <PageLink to={paths.amazonAdsPrivacy} className={textLinkClass}>
            Privacy policy for the Amazon Ads API integration
          </PageLink>
        </p>
      </Section>
      <Section heading="Your rights and how to reach us">
        <p>
          You can delete your links yourself. On your account page you can download everything we store about you, and
          delete your account with all of it. Write to <MailLink address={contactEmail} /> to learn what we store about
          you, to have it corrected or deleted, or with any other question.
        </p>
      </Section>
    </Policy>
  );
}
