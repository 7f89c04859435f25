import { AD_SOURCE, SOURCE, SOURCE_MAX_LENGTH, SOURCE_PARAMETER } from "@tapthru/proto/clicks/keys";
import { isSource } from "@tapthru/proto/clicks/sources";

/** Ids that are on the links of ads alone. `fbclid`, `igsh`, `epik`, `srsltid` and `ysclid` are also on others. */
const AD_ID =
  /^(?:gclid|gclsrc|gbraid|wbraid|dclid|gad|gad_source|gad_campaignid|msclkid|ttclid|twclid|li_fat_id|sccid|rdt_cid|yclid|qclid|ndclid|tblci|dicbo|vmcid|ldtag_cl|bd_vid|s_kwcid|ef_id|hsa_acc|hsa_cam|hsa_ad)$/;
const PAID_MEDIUM =
  /(?<![a-z\d])(?:paid[a-z]*|cp[acemv]|ppc|sem|ads?|advert(?:s|ising)?|display|promoted|remarketing|retargeting|sponsored)(?![a-z\d])/i;
/** WeChat puts them behind links that were sent or posted there. */
const CHAT_SOURCES = ["singlemessage", "groupmessage", "timeline"];

/** Returns the sources of a visit by its raw query, and the program that added its name to the address, else null. */
export function queryOrigin(query: string): { sources: string[]; program: string | null } {
  const parameters = new URLSearchParams(query);
  const place = parameters.getAll(SOURCE_PARAMETER).find((value) => !CHAT_SOURCES.includes(value)) ?? "";
  const sources = place.length <= SOURCE_MAX_LENGTH && SOURCE.test(place) ? [place] : [];
  let program: string | null = null;
  let isAd = false;
  for (const [name, value] of parameters) {
    const [key, text] = [name.toLowerCase(), value.toLowerCase().replace(/^www\./, "")];
    if (key === "utm_source" && isSource(text)) program ??= text;
    isAd ||= key === "utm_medium" ? PAID_MEDIUM.test(text) : text !== "" && AD_ID.test(key);
  }
  return { sources: isAd ? [...sources, AD_SOURCE] : sources, program };
}
