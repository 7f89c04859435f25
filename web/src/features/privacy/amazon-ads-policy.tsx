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
          We collect the name and email address of your Amazon account. The permission that you give at Amazon also
          covers the following information. At present {productName} neither reads nor stores it:
        </p>
        <PolicyList
          items={{
            "Campaign performance": "Figures of your campaigns, such as impressions, clicks, cost and sales.",
            "Attribution tracking": "Which visits and purchases Amazon attributes to your links and campaigns.",
            "Engagement analytics":
              "How people respond to your advertising, such as click-through and conversion rates.",
          }}
        />
        <p>You log in at Amazon itself: we never see your Amazon password. We do not collect who your customers are.</p>
      </Section>
      <Section heading="3. Use">
        <p>
          We use this information to show you which Amazon account is connected, and to keep the integration working. We
          do not show campaign figures. We do not use your data to advertise to you or to anyone else.
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
