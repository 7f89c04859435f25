/**
 * Parameters that services put on the links in their mails: those that name one reader, and those that name a mailing. The sources are
 * issues of brave/brave-browser by number, of ClearURLs/rules by #, and lists of trackers.
 */
const SERVICES: readonly { service: string; source: string; reader: string; mailing?: string }[] = [
  { service: "Acoustic", source: "ClearURLs !90", reader: "spuserid", mailing: "spmailingid spjobid spreportid" },
  { service: "ActiveCampaign", source: "LegitimateURLShortener", reader: "vgo_ee" },
  { service: "beehiiv", source: "40716", reader: "_bhlid" },
  { service: "Blackbaud", source: "37971", reader: "bbeml" },
  {
    service: "Blueshift",
    source: "25238",
    reader: "bsft_uid bsft_clkid bsft_ek",
    mailing: "bsft_eid bsft_mid bsft_aaid",
  },
  { service: "Customer.io", source: "docs.customer.io, 2021-07-12", reader: "_cio_id" },
  { service: "Drip", source: "8975", reader: "__s" },
  { service: "Dynamics 365", source: "AdGuard general_url", reader: "_cldee _clde" },
  { service: "Eloqua", source: "ClearURLs #289", reader: "elq elqtrackid", mailing: "elqaid elqat elqcst elqcsid" },
  { service: "HubSpot", source: "9019", reader: "_hsenc", mailing: "_hsmi" },
  { service: "Kit", source: "ClearURLs !90", reader: "ck_subscriber_id sh_kit" },
  { service: "Mailchimp", source: "4239", reader: "mc_eid", mailing: "mc_cid" },
  { service: "MailerLite", source: "17507", reader: "ml_subscriber ml_subscriber_hash" },
  { service: "Marketo", source: "AdGuard general_url", reader: "mkt_tok" },
  { service: "Mindbox", source: "AdGuard general_url", reader: "mindbox-message-key" },
  { service: "Omeda", source: "13644", reader: "oly_enc_id oly_anon_id" },
  { service: "Salesforce", source: "37847", reader: "et_rid sfmc_sub sfmc_subscriberkey", mailing: "et_cid et_lid" },
  { service: "Vero", source: "11817", reader: "vero_id vero_conv" },
];
/** Of readers, also on links outside of mails: Klaviyo's (34578), HubSpot's cookies (9019) and addresses themselves. */
const OTHER_READER_IDS = "_kx __hstc __hssc __hsfp hsctatracking subscriber_id email email_address user_email_address";

const idsIn = (lists: readonly string[]): ReadonlySet<string> => new Set(lists.flatMap((list) => list.split(" ")));

/** In lower case. */
export const READER_IDS = idsIn([...SERVICES.map(({ reader }) => reader), OTHER_READER_IDS]);
/** In lower case. On links in mails alone. */
export const MAIL_IDS = idsIn(SERVICES.flatMap(({ reader, mailing }) => (mailing ? [reader, mailing] : reader)));
