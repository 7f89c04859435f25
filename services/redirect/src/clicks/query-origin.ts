import { AD_SOURCE, SOURCE, SOURCE_MAX_LENGTH, SOURCE_PARAMETER } from "@tapthru/proto/clicks/keys";
import { isSource } from "@tapthru/proto/clicks/sources";
import { MAIL_IDS } from "@tapthru/proto/rules/mail-ids";

/** Ids that are on the links of ads alone. `fbclid`, `igsh`, `epik`, `srsltid` and `ysclid` are also on others. */
const AD_ID =
  /^(?:gclid|gclsrc|gbraid|wbraid|dclid|gad|gad_source|gad_campaignid|msclkid|ttclid|twclid|li_fat_id|sccid|rdt_cid|yclid|qclid|ndclid|tblci|dicbo|vmcid|ldtag_cl|bd_vid|s_kwcid|ef_id|hsa_acc|hsa_cam|hsa_ad)$/;
const MAIL_MEDIUM =
  /(?<![a-z\d]|direct[ _+-])(?:(?:e-?)?mail(?:s|ings?)?|edm|newsletters?|nieuwsbrief|rundbrief|bolet[ií]n|infolettre)(?![a-z\d])/;
const PAID_MEDIUM =
  /^native$|(?<![a-z\d])(?:paid[a-z]*|cp[acemv]|ppc|sem|ads?|advert(?:s|ising)?|banners?|boost(?:ed)?|display|dsp|expandable|interstitial|pmax|programmatic|promoted|remarketing|retargeting|rtb|sponsored)(?![a-z\d])/i;
/** WeChat puts them behind links that were sent or posted there. */
const CHAT_SOURCES = ["singlemessage", "groupmessage", "timeline"];

export interface QueryOrigin {
  sources: string[];
  /** The program that added its name to the address, else null. */
  program: string | null;
  isMail: boolean;
}

/** Where a visit came from by its raw query. */
export function queryOrigin(query: string): QueryOrigin {
  const parameters = new URLSearchParams(query);
  const place = parameters.getAll(SOURCE_PARAMETER).find((value) => !CHAT_SOURCES.includes(value)) ?? "";
  const sources = place.length <= SOURCE_MAX_LENGTH && SOURCE.test(place) ? [place] : [];
  let program: string | null = null;
  let isAd = false;
  let isMail = false;
  for (const [name, value] of parameters) {
    const [key, text] = [name.toLowerCase(), value.toLowerCase().replace(/^www\./, "")];
    if (key === "utm_source" && isSource(text)) program ??= text;
    isMail ||= key === "utm_medium" ? MAIL_MEDIUM.test(text) : text !== "" && MAIL_IDS.has(key);
    isAd ||= key === "utm_medium" ? PAID_MEDIUM.test(text) : text !== "" && AD_ID.test(key);
  }
  return { sources: isAd ? [...sources, AD_SOURCE] : sources, program, isMail };
}
