import { MARKETPLACES, type Marketplace } from "@tapthru/proto/rules/amazon/marketplaces";
import * as flags from "country-flag-icons/react/3x2";

/** By country. Pictures, because Windows has no flags among its emoji. */
const FLAGS: Readonly<Record<string, flags.FlagComponent>> = {
  ...{ AE: flags.AE, AU: flags.AU, BE: flags.BE, BR: flags.BR, CA: flags.CA, CN: flags.CN, DE: flags.DE },
  ...{ EG: flags.EG, ES: flags.ES, FR: flags.FR, GB: flags.GB, IE: flags.IE, IN: flags.IN, IT: flags.IT },
  ...{ JP: flags.JP, MX: flags.MX, NL: flags.NL, PL: flags.PL, SA: flags.SA, SE: flags.SE, SG: flags.SG },
  ...{ TR: flags.TR, US: flags.US, ZA: flags.ZA },
};

export function StoreFlag({ marketplace }: { marketplace: Marketplace }) {
  const name = `amazon.${marketplace}`;
  const Flag = FLAGS[MARKETPLACES[marketplace].country];
  return Flag && <Flag title={name} role="img" aria-label={name} className={FLAG} />;
}

const FLAG = "h-3.5 w-auto rounded-xs outline outline-line";
