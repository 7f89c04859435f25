import { expect, it } from "vitest";
import { isMailHost, referrerSource } from "./sources.ts";

it.each([
  ["facebook", "facebook.com l.facebook.com lm.facebook.com m.facebook.com com.facebook.katana"],
  ["instagram", "instagram.com l.instagram.com com.instagram.android"],
  ["threads", "threads.net l.threads.com com.instagram.barcelona"],
  ["bluesky", "bsky.app go.bsky.app"],
  ["x", "t.co x.com mobile.twitter.com com.twitter.android"],
  ["tiktok", "tiktok.com vm.tiktok.com com.zhiliaoapp.musically"],
  ["youtube", "m.youtube.com youtu.be com.google.android.youtube"],
  ["pinterest", "de.pinterest.com pinterest.de pinterest.co.uk www2.pinterest.com.au pin.it"],
  ["google", "google.com google.de google.co.jp google.com.br news.google.com com.google.android.googlequicksearchbox"],
  ["gmail", "mail.google.com com.google.android.gm"],
  ["assistants", "chatgpt.com www2.claude.ai gemini.google.com com.openai.chatgpt"],
  ["telegram", "web.telegram.org t.me org.telegram.messenger"],
  ["mastodon", "mastodon.social org.joinmastodon.android"],
  ["google-messages", "com.google.android.apps.messaging messages.google.com"],
  ["signal", "org.thoughtcrime.securesms signal.me"],
  ["line", "jp.naver.line.android com.linecorp.linelite"],
  ["kakaotalk", "com.kakao.talk"],
  ["viber", "com.viber.voip"],
  ["wechat", "com.tencent.mm"],
  ["samsung-email", "com.samsung.android.email.provider"],
  ["outlook", "com.microsoft.office.outlook outlook.live.com"],
])("%s is the source of %s", (source, hosts) => {
  for (const host of hosts.split(" ")) expect([host, referrerSource(host)]).toEqual([host, source]);
});

it.each([
  ...["direct", "other", "blog.example", "notfacebook.com", "facebook.com.evil.example", "google.example.de", "at.co"],
  ...["com.example.facebook", "anna.substack.com", "x.com.example", ""],
])("%s is a source of its own", (host) => {
  expect(referrerSource(host)).toBe(host);
});

it.each([
  ["mail.google.com com.google.android.gm outlook.live.com mail.yahoo.com mail.yahoo.co.jp mail.proton.me", true],
  ["deref-gmx.net mail.qq.com webmail.shop.example mail2.shop.example mail.aol.com mail.zoho.com", true],
  [
    "google.com mail.ru mail.com gmail.example mailchimp.com my-mail.shop.example mailing.shop.example direct other",
    false,
  ],
])("%s are mail: %s", (hosts, expected) => {
  for (const host of hosts.split(" ")) expect([host, isMailHost(host)]).toEqual([host, expected]);
});
