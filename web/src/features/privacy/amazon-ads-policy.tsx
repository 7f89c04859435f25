import { CLICKS_MAX_DAYS } from "@tapthru/proto/rules/limits";
import { textLinkClass } from "../../components/ui/button.tsx";
import { OutsideLink } from "../../components/ui/links.tsx";
import { useConfig } from "../../lib/config.ts";
import { MailLink, Policy, PolicyList, Section } from "./policy.tsx";

export default function AmazonAdsPolicy() {
  const { productName, publicBaseUrl, contactEmail } = useConfig();
  return (
    <Policy
      title="Privacy policy for the Amazon Ads API integration"
      dates="Effective 01/01/2025, last updated 03/07/2025"
    >
      <Section heading="1. Introduction">
        <p>
          This policy explains what {productName} does with the data of your Amazon advertising account. It applies once
          you connect that account to {productName}, which then reads data through the Amazon Ads API on your behalf and
          with your permission.
        </p>
      </Section>
      <Section heading="2. Information collected">
        <p>
          We collect the name and email address of your Amazon account. Once a day we read the report of Amazon
          Attribution. Of it we keep, for each day, advertiser, campaign and ad group, for at most {CLICKS_MAX_DAYS}{" "}
          days:
        </p>
        <PolicyList
          items={{
            "Campaign performance": "Clicks on the links of your campaigns, and sales with their currency.",
            "Attribution tracking": "How many purchases Amazon attributes to your campaigns.",
            "Engagement analytics": "How often people opened a product's page, or put a product in the cart.",
          }}
        />
        <p>
          The permission that you give at Amazon covers more, such as the cost of your advertising. {productName}{" "}
          neither reads nor stores it.
        </p>
        <p>You log in at Amazon itself: we never see your Amazon password. We do not collect who your customers are.</p>
      </Section>
      <Section heading="3. Use">
        <p>
          We use this information to show you which Amazon account is connected and what your campaigns sold, and to
          keep the integration working. Members of your account see the figures, and API keys with access to your
          earnings. We do not use your data to advertise to you or to anyone else.
        </p>
      </Section>
      <Section heading="4. Sharing">
        <p>We do not sell your data. We share it only with:</p>
        <PolicyList
          items={{
            Amazon: "Only what its Ads API requires to respond to our requests.",
            "Analytics tools": "Tools that help us operate and improve the integration.",
            "Legal authorities": "If the law requires it.",
          }}
        />
      </Section>
      <Section heading="5. Security">
        <p>
          Data travels over encrypted connections. The access that Amazon grants us to your account is stored encrypted,
          and only those parts of {productName} that need it can read it.
        </p>
      </Section>
      <Section heading="6. User rights">
        <PolicyList
          items={{
            Access: "You may request information about the data that we store about you, and a copy of it.",
            "Opt-out":
              "You may withdraw your permission at any time in your Amazon Ads settings. From then on we cannot read anything more.",
            Deletion:
              "You may request that we delete the data we have collected. Disconnecting deletes all of it, and so does deleting your account.",
          }}
        />
      </Section>
      <Section heading="7. Updates">
        <p>
          We may update this policy. The current version is always on this page, with the date of its last update at the
          top.
        </p>
      </Section>
      <Section heading="8. Contact">
        <p>
          Questions and requests reach us at <MailLink address={contactEmail} />. Our site is{" "}
          <OutsideLink href={publicBaseUrl} className={textLinkClass}>
            {publicBaseUrl}
          </OutsideLink>
          .
        </p>
      </Section>
    </Policy>
  );
}
