import { describe, expect, it } from "vitest";
import { EMAIL_WEBHOOK, readerOf, shownUrl, webhookTarget } from "./webhooks.ts";

const GOOGLE = "https://chat.googleapis.com/v1/spaces/A/messages?key=K&token=T";
const WORKFLOW = "https://prod-01.westus.logic.azure.com/workflows/x/triggers/manual/paths/invoke?sig=s";
const POWER =
  "https://default0a.1b.environment.api.powerplatform.com/powerautomate/automations/direct/workflows/x/triggers/manual/paths/invoke?api-version=1&sig=s";
/** Addresses of Microsoft's other clouds, in the order of its list, and of its tests. */
const OTHER_POWER = [
  "api.gov.powerplatform.microsoft.us",
  "api.high.powerplatform.microsoft.us",
  "api.appsplatform.us",
  "api.powerplatform.partner.microsoftonline.cn",
  "api.powerplatform.eaglex.ic.gov",
  "api.powerplatform.microsoft.scloud",
  "api.preprod.powerplatform.com",
].map((api) => POWER.replace("api.powerplatform.com", api).replace("/direct/", "/direct/cu/01/"));
const MATTERMOST = "https://mm.example/hooks/3kx9cq1hgpnyfkqd8wz6ot5hre";

describe("webhookTarget", () => {
  it.each([
    ["https://hooks.example/in?key=1", "https://hooks.example/in?key=1"],
    [EMAIL_WEBHOOK, EMAIL_WEBHOOK],
    ["https://hooks.slack.com/services/T/B/x", "https://hooks.slack.com/services/T/B/x"],
    [
      "https://api.telegram.org/bot1:x/sendMessage?a=1&chat_id=-5",
      "https://api.telegram.org/bot1:x/sendMessage?a=1&chat_id=-5",
    ],
    ["https://ptb.discord.com/api/webhooks/1/x", "https://ptb.discord.com/api/webhooks/1/x"],
    ["https://discord.com/api/v10/webhooks/1/x?thread_id=2", "https://discord.com/api/v10/webhooks/1/x?thread_id=2"],
    [GOOGLE, GOOGLE],
    [WORKFLOW, WORKFLOW],
    [WORKFLOW.replace("azure.com", "azure.com:443"), WORKFLOW],
    [POWER, POWER],
    ...[POWER.replace("/direct/", "/direct/cu/25/"), ...OTHER_POWER].map((url): [string, string] => [url, url]),
    [
      "https://x.webhook.office.com/webhookb2/a@b/IncomingWebhook/c/d",
      "https://x.webhook.office.com/webhookb2/a@b/IncomingWebhook/c/d",
    ],
    [`${MATTERMOST}#text`, `${MATTERMOST}#text`],
    [`${MATTERMOST}#other`, MATTERMOST],
    ["https://HOOKS.example:443", "https://hooks.example/"],
    ["https://a-b.xn--bcher-kva.example/#part", "https://a-b.xn--bcher-kva.example/"],
    ["https://bücher.example/", "https://xn--bcher-kva.example/"],
    ["https://hooks.example.xn--p1ai/", "https://hooks.example.xn--p1ai/"],
  ] satisfies [string, string][])("accepts %s", (text, target) => {
    expect(webhookTarget(text, { allowsLocal: false })).toBe(target);
  });

  it.each([
    "",
    "hooks.example",
    "http://hooks.example/",
    "https://hooks.example:8443/",
    "https://user@hooks.example/",
    "https://:secret@hooks.example/",
    "https://localhost/",
    "https://hooks.example./",
    "https://2130706433/",
    "https://0177.0.0.1/",
    "https://①②⑦.⓪.⓪.①/",
    "https://[::1]/",
    "https://[2606:4700::1111]/",
    "http://localhost:3000/",
    "mailto:eve@t.example",
    "ftp://hooks.example/",
    "javascript:alert(1)",
    `https://${"a.".repeat(130)}example/`,
    "https://hooks.slack.com/triggers/T1/2/abc",
    "https://hooks.slack.com/workflows/T1/2/abc",
    "https://hooks.slack.com/services/",
    "https://hooks.slack.com/",
    "https://api.telegram.org/bot1:x/sendMessage",
    "https://discord.com/api/webhooks/1/x/slack",
    "https://discord.com/api/v10/webhooks/1/x/github?wait=true",
    "https://discord.com/api/webhooks/1",
    "https://discord.com/channels/1/2",
    "https://chat.googleapis.com/v1/spaces/A/messages",
    "https://chat.googleapis.com/v1/spaces/A/messages?key=K",
    "https://chat.googleapis.com/v1/spaces/A/members?key=K&token=T",
    "https://prod-01.westus.logic.azure.com/subscriptions/x",
    "https://outlook.office.com/mail/",
    POWER.replace("/direct/workflows/", "/direct/cu/01/connections/"),
    POWER.replace("/direct/workflows/", "/other/workflows/"),
    "http://mm.example/hooks/x#text",
  ])("refuses %s", (text) => {
    expect(webhookTarget(text, { allowsLocal: false })).toBeNull();
  });

  it("accepts servers on this machine only for local development, and only over http", () => {
    const local = ["http://localhost:3000/a", "http://127.0.0.1:3000/", "http://[::1]:3000/"];
    for (const text of local) expect(webhookTarget(text, { allowsLocal: true })).toBe(text);
    for (const text of ["https://localhost/", "http://10.0.0.1/", "http://user@localhost/"]) {
      expect(webhookTarget(text, { allowsLocal: true })).toBeNull();
    }
  });
});

it.each([
  [EMAIL_WEBHOOK, "email"],
  ["https://hooks.slack.com/services/T/B/x", "slack"],
  ["https://discord.com/api/webhooks/1/x", "discord"],
  ["https://canary.discordapp.com/api/webhooks/1/x", "discord"],
  ["https://api.telegram.org/bot1:x/sendMessage?chat_id=-5", "telegram"],
  [GOOGLE, "google-chat"],
  [WORKFLOW, "teams"],
  ["https://prod-180.usgovtexas.logic.azure.us/workflows/x/triggers/manual/paths/invoke?sig=s", "teams"],
  [POWER, "teams"],
  ...OTHER_POWER.map((url): [string, string] => [url, "teams"]),
  ["https://x.webhook.office365.us/webhookb2/a", "teams"],
  ["https://x.webhook.office.com/webhookb2/a", "teams"],
  ["https://outlook.office.com/webhook/a", "teams"],
  [`${MATTERMOST}#text`, "text"],
  ["https://chat.example/hooks/64f1/AbC#text", "text"],
  [MATTERMOST, null],
  ["https://logic.azure.com.example/workflows/x", null],
  ["https://d.environment.api.powerplatform.com.example/workflows/x", null],
  ["https://d.environment.api.powerplatform.microsoft.us.example/workflows/x", null],
  ["https://d.environment.api.x.powerplatform.example.us/workflows/x", null],
  ["https://chat.googleapis.com.example/v1/spaces/A/messages?key=K&token=T", null],
  ["https://notdiscord.com/", null],
  ["https://discord.com.example/", null],
] satisfies [string, string | null][])("what is sent to %s is read by %s", (url, reader) => {
  expect(readerOf(url)).toBe(reader);
  expect(readerOf(shownUrl(url))).toBe(reader);
  if (reader !== null && reader !== "email") expect(shownUrl(url)).not.toMatch(/hooks\/|key|sig|webhook[/b]/);
});
