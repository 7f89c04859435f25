import { describe, expect, it } from "vitest";
import { EMAIL_WEBHOOK, readerOf, webhookTarget } from "./webhooks.ts";

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
    ["https://HOOKS.example:443", "https://hooks.example/"],
    ["https://a-b.xn--bcher-kva.example/#part", "https://a-b.xn--bcher-kva.example/"],
    ["https://bücher.example/", "https://xn--bcher-kva.example/"],
    ["https://hooks.example.xn--p1ai/", "https://hooks.example.xn--p1ai/"],
  ])("accepts %s", (text, target) => {
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
  ["https://notdiscord.com/", null],
  ["https://discord.com.example/", null],
])("what is sent to %s is read by %s", (url, reader) => {
  expect(readerOf(url)).toBe(reader);
});
