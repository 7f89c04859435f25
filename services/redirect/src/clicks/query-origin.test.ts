import { AD_SOURCE } from "@tapthru/proto/clicks/keys";
import { referrerSource } from "@tapthru/proto/clicks/sources";
import { MAIL_IDS } from "@tapthru/proto/rules/mail-ids";
import { expect, it } from "vitest";
import { queryOrigin } from "./query-origin.ts";

it.each([
  "gclid=Cj0&gad_source=1",
  "msclkid=abc",
  "ttclid=E.C.P",
  "gbraid=0AAA",
  "wbraid=x",
  "fbclid=IwAR&utm_medium=paid",
  "x=1&GCLID=Cj0",
  "twclid=2-x&igsh=1",
  "li_fat_id=0b",
  "utm_medium=cpc",
  "UTM_MEDIUM=PPC",
  "utm_medium=paid_social&utm_source=ig",
  "utm_medium=paidsocial",
  "utm_medium=Social%20Paid",
  "utm_medium=display-ads",
  ...["utm_medium=banner", "utm_medium=Interstitial", "utm_medium=programmatic", "utm_medium=native", "utm_medium=rtb"],
  ...["utm_medium=boosted", "utm_medium=boosted-post", "utm_medium=native_ads", "utm_medium=pmax", "utm_medium=boost"],
])("%s is an ad", (query) => {
  expect(queryOrigin(query).sources).toEqual([AD_SOURCE]);
});

it.each([
  ...["", "fbclid=IwAR", "igsh=abc", "fbclid=x&igsh=y&utm_medium=social", "utm_medium=email", "utm_source=newsletter"],
  ...["utm_medium=prepaid", "utm_medium=unpaid", "gclid=", "xgclid=1", "utm_medium=organic", "epik=x", "srsltid=y"],
  ...["utm_campaign=cpc", "q=gclid", "utm_medium=referral", "mc_cid=x&utm_medium=newsletter", "utm_medium=semester"],
  ...["utm_medium=native-share", "utm_medium=alternative", "utm_medium=booster", "utm_campaign=banner"],
])("%s is no ad", (query) => {
  expect(queryOrigin(query).sources).toEqual([]);
});

it.each([
  ...["utm_medium=email", "UTM_MEDIUM=E-Mail", "utm_medium=newsletter-email", "utm_source=x&mc_cid=1a", "_hsenc=p2A"],
  ...["_bhlid=0b2d1e&utm_source=anna.beehiiv.com&utm_medium=newsletter", "vero_id=85422", "elqTrackId=1"],
  ...["utm_source=mailchimp&utm_medium=newsletter", "utm_source=substack&utm_medium=Newsletters", "utm_medium=mail"],
  ...["utm_medium=e-mailing", "utm_medium=mailings", "utm_medium=weekly_newsletter", "utm_medium=eDM"],
  ...[...MAIL_IDS].map((id) => `${id.toUpperCase()}=1`),
])("%s is a mail", (query) => {
  expect(queryOrigin(query)).toMatchObject({ isMail: true, sources: [] });
});

it.each([
  "",
  "utm_medium=social",
  "utm_medium=emailed",
  "mc_cid=",
  "xmc_cid=1",
  "_kx=1",
  "utm_campaign=email",
  ...[
    "utm_medium=gmailed",
    "utm_medium=direct-mail",
    "utm_medium=direct_mail",
    "utm_medium=newslettering",
    "utm_medium=mailbox",
  ],
  ...["utm_source=newsletter", "email=anna@example.com", "__hstc=1", "_bhlid="],
  "from=mail",
])("%s is no mail", (query) => {
  expect(queryOrigin(query).isMail).toBe(false);
});

it("an ad of a place that the link names counts for both", () => {
  expect(queryOrigin("from=blog&gclid=x").sources).toEqual(["blog", AD_SOURCE]);
  expect(queryOrigin(`from=${encodeURIComponent(AD_SOURCE)}`).sources).toEqual([]);
});

it.each([
  ["assistants", "utm_source=perplexity"],
  ["assistants", "utm_source=chatgpt.com"],
  ["assistants", "x=1&utm_source=ChatGPT.com&y=2"],
  ["assistants", "UTM_SOURCE=www.perplexity.ai"],
  ["assistants", "utm_source=openai"],
  ["assistants", "utm_source=copilot.com"],
  ["assistants", "utm_source=claude.ai"],
  ["bluesky", "utm_source=bluesky&utm_medium=social"],
  ["instagram", "utm_source=ig&utm_medium=social&utm_content=link_in_bio"],
  ["reddit", "utm_source=newsletter&utm_source=reddit"],
])("%s added its name in %s", (source, query) => {
  const { program } = queryOrigin(query);
  expect(program && referrerSource(program)).toBe(source);
});

it.each([
  "utm_source=newsletter",
  "utm_source=my-chatgpt-post",
  "utm_medium=perplexity",
  "utm_source=",
  "utm_source=x.test",
])("%s names no program", (query) => {
  expect(queryOrigin(query).program).toBeNull();
});

it.each([
  ["from=singlemessage&isappinstalled=0", []],
  ["from=timeline", []],
  ["from=groupmessage", []],
  ["from=newsletter&from=timeline&isappinstalled=0", ["newsletter"]],
  ["from=timeline&from=newsletter", ["newsletter"]],
  ["from=timeline-2026", ["timeline-2026"]],
  ["from=my_timeline", ["my_timeline"]],
  ["from=single-message", ["single-message"]],
])("the places of %s are %j", (query, sources) => {
  expect(queryOrigin(query).sources).toEqual(sources);
});
