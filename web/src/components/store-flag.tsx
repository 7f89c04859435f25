import { MARKETPLACES, type Marketplace } from "@tapthru/proto/rules/amazon/marketplaces";
import {
  AE,
  AU,
  BE,
  BR,
  CA,
  CN,
  DE,
  EG,
  ES,
  type FlagComponent,
  FR,
  GB,
  IE,
  IN,
  IT,
  JP,
  MX,
  NL,
  PL,
  SA,
  SE,
  SG,
  TR,
  US,
  ZA,
} from "country-flag-icons/react/3x2";

/** By country. Pictures, because Windows has no flags among its emoji. */
const FLAGS: Readonly<Record<string, FlagComponent>> = {
  AE,
  AU,
  BE,
  BR,
  CA,
  CN,
  DE,
  EG,
  ES,
  FR,
  GB,
  IE,
  IN,
  IT,
  JP,
  MX,
  NL,
  PL,
  SA,
  SE,
  SG,
  TR,
  US,
  ZA,
};

/** The flag of a store's country, named by the store. */
export function StoreFlag({ marketplace }: { marketplace: Marketplace }) {
  const name = `amazon.${marketplace}`;
  const Flag = FLAGS[MARKETPLACES[marketplace].country];
  return Flag && <Flag title={name} role="img" aria-label={name} className={FLAG} />;
}

const FLAG = "h-3.5 w-auto rounded-xs outline outline-line";
