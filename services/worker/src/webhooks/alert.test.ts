import { WebhookPayload } from "@tapthru/proto/webhook-events";
import { expect, it } from "vitest";
import { alertMail, chatBody } from "./alert.ts";

const SITE = "https://t.example";
const STOP = `${SITE}/stop`;
const link = {
  id: 1,
  shortCode: "mug",
  shortUrl: `${SITE}/l/mug`,
  webUrl: "https://www.amazon.de/dp/B08N5WRWNW",
  labels: [],
  takenDown: false,
  expiresAt: null,
  createdAt: "2026-11-20T12:00:00.000Z",
  title: null,
  fallbackUrl: null,
};
const event = (type: string, data: object) => {
  const body = { type, timestamp: "2026-11-20T12:00:00.000Z", data };
  return { body, readable: WebhookPayload.parse(body) };
};
const changed = (nickname: string | null) => event("link.changed", { ...link, nickname });
const bodyFor = (url: string, events = [changed("<!channel> & *mug* @everyone\n")]) =>
  chatBody(new URL(url), events, SITE);

it("Google Chat, Mattermost and Teams get what they show, in which nothing of a name is interpreted", () => {
  expect(bodyFor("https://chat.googleapis.com/v1/spaces/A/messages?key=K&token=T")).toEqual({
    text: `‹!channel› & *mug* @everyone was changed. ${SITE}/link/mug`,
  });
  expect(bodyFor("https://mm.example/hooks/3kx9cq1hgpnyfkqd8wz6ot5hre#text")).toEqual({
    text: `\\<!channel\\> & \\*mug\\* @\u200beveryone was changed. ${SITE}/link/mug`,
  });
  const cards = [
    "https://prod-01.westus.logic.azure.com/workflows/x/triggers/manual/paths/invoke?sig=s",
    "https://d.1b.environment.api.powerplatform.com/powerautomate/automations/direct/workflows/x/triggers/manual/paths/invoke?sig=s",
    "https://x.webhook.office.com/webhookb2/a",
  ].map((url) => bodyFor(url, [changed("*mug*"), changed("b")]));
  const text = `\\*mug\\* was changed. ${SITE}/link/mug\n\nb was changed. ${SITE}/link/mug`;
  const content = { type: "AdaptiveCard", version: "1.4", body: [{ type: "TextBlock", wrap: true, text }] };
  const attachments = [{ contentType: "application/vnd.microsoft.card.adaptive", content }];
  expect(cards).toEqual(cards.map(() => ({ type: "message", attachments })));
});

it("Slack, Discord and Telegram get a sentence and an address, in which nothing of a name is interpreted", () => {
  expect(bodyFor("https://hooks.slack.com/services/x")).toEqual({
    text: `&lt;!channel&gt; &amp; *mug* @everyone was changed. ${SITE}/link/mug`,
  });
  expect(bodyFor("https://discord.com/api/webhooks/1/x")).toEqual({
    content: `\\<!channel\\> & \\*mug\\* \\@everyone was changed. ${SITE}/link/mug`,
    allowed_mentions: { parse: [] },
  });
  expect(bodyFor("https://api.telegram.org/bot1:x/sendMessage?chat_id=-5")).toEqual({
    chat_id: "-5",
    text: `<!channel> & *mug* @everyone was changed. ${SITE}/link/mug`,
  });
});

it("many events are one message of 2,000 characters at most, which says how many it leaves out", () => {
  const bodyOf = (name: string) =>
    bodyFor("https://discord.com/api/webhooks/1/x", Array(30).fill(changed(name))) as { content: string };
  expect(bodyOf("mug").content).toMatch(/\nAnd 20 more: https:\/\/t\.example\/account\/notifications$/);
  expect(bodyOf("_".repeat(200)).content.length).toBeLessThanOrEqual(2_000);
});

it("an email about one event has its sentence as subject, in one line", () => {
  const { subject, text } = alertMail([changed("My\r\nBcc: mug")], SITE, STOP);
  expect(subject).toBe("My Bcc mug was changed.");
  expect(text).toContain(
    `${SITE}/link/mug\n\n--\nYou chose these emails: ${SITE}/account/notifications\nStop them: ${STOP}`,
  );
  expect(alertMail([changed("a"), changed("b")], SITE, STOP).subject).toBe("2 alerts");
});

it.each([
  ["test", {}, "This is a test: alerts arrive here."],
  ["link.changed", { ...link, nickname: null }, "mug was changed."],
  ["link.deleted", link, "The link mug was deleted."],
  [
    "domain.failing",
    { host: "go.t.example", problem: "no-record", since: link.createdAt, offAt: link.createdAt },
    "go.t.example: The DNS has no record of this domain any more.",
  ],
  [
    "link.unhealthy",
    { ...link, nickname: "Mug", health: { state: "product-gone", previousState: "ok", since: link.createdAt } },
    "Mug: Amazon no longer has this product.",
  ],
])("says %s in a sentence", (type, data, sentence) => {
  expect(alertMail([event(type, data)], SITE, STOP).subject).toBe(sentence);
});
