import { readFileSync } from "node:fs";
import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { BUILT_IN_OPENING_TABLE } from "../app-opening/built-in-app-opening.ts";
import { AGENT_MAX_LENGTH, parseUserAgent } from "./agent.ts";
import { ASSISTANT_NAMES, HTTP_LIBRARY_STARTS, OTHER_CRAWLER_NAMES, PREVIEW_CRAWLER_NAMES } from "./crawlers.ts";

const read = (userAgent: string) => parseUserAgent(userAgent, BUILT_IN_OPENING_TABLE.apps);

const AGENTS = readFileSync(new URL("./testing/agents.tsv", import.meta.url), "utf8")
  .split("\n")
  .filter((line) => line !== "" && !line.startsWith("#"))
  .map((line) => {
    const [device = "", app = "", , userAgent = ""] = line.split("\t");
    return { device, app, userAgent };
  });

const IPHONE = "Mozilla/5.0 (iPhone; CPU iPhone OS 18_6 like Mac OS X)";
const PIXEL = "Mozilla/5.0 (Linux; Android 15; Pixel 9)";

describe("parseUserAgent", () => {
  it("covers at least 300 agents observed in the wild", () => {
    expect(new Set(AGENTS.map(({ userAgent }) => userAgent)).size).toBeGreaterThanOrEqual(300);
  });

  it.each(AGENTS)("recognizes $device, $app: $userAgent", ({ device, app, userAgent }) => {
    const agent = read(userAgent);
    expect(agent.device).toBe(device);
    if (app !== "-") expect(agent.app).toBe(app);
  });

  it.each([
    ["Pinterest", "Pinterest/0.2 (+https://www.pinterest.com/)", `${IPHONE} [Pinterest/iOS]`],
    ["WhatsApp", "WhatsApp/2.24.9.78 A", `${PIXEL} [WA4A/2.26.19.73]`],
    ["Signal", "WhatsApp/2", `${PIXEL} Signal`],
    ["Viber", "Viber/13.3.0.22", `${PIXEL} Viber/22.1 WhatsApp/2.24`],
    [
      "Snapchat",
      "Snap URL Preview Service; bot; snapchat; https://developers.snap.com/robots",
      `${IPHONE} Snapchat/12.82.0.39 (like Safari/8617.2.4.10.7, panda)`,
    ],
    ["Facebook", "facebookexternalhit/1.1", `${IPHONE} [FBAN/FBIOS;FBAV/461.0.0.38.109]`],
    ["LINE", "facebookexternalhit/1.1;line-poker/1.0", `${IPHONE} Safari Line/13.0.0`],
    ["KakaoTalk", "facebookexternalhit/1.1; kakaotalk-scrap/1.0", `${IPHONE} KAKAOTALK 10.1.0`],
    [
      "Naver",
      "Mozilla/5.0 (compatible; Blueno/1.0; +http://naver.me/scrap)",
      `${IPHONE} NAVER(inapp; search; 1100; 11.14.5)`,
    ],
    [
      "iMessage",
      "Mozilla/5.0 (Macintosh; Intel Mac OS X 10_11_1) Safari/601.2.4 facebookexternalhit/1.1 Facebot Twitterbot/1.0",
      `${IPHONE} Version/18.6 Safari/604.1`,
    ],
  ])("distinguishes a person in %s from its crawler", (_name, crawler, person) => {
    expect(read(crawler).device).toBe("preview-crawler");
    expect(read(person).device).toMatch(/^(ios|android)$/);
  });

  it.each([
    ["TikTok", "Bytespider", "musical_ly_34.4.0"],
    ["TikTok", "TikTokSpider", "trill_330603"],
    ["Naver", "Yeti/1.1", "NAVER(inapp; search; 1100)"],
  ])("recognizes the crawler of %s, even with a phone's user agent", (_name, crawler, person) => {
    expect(read(`${PIXEL} (compatible; ${crawler})`).device).toBe("bot");
    expect(read(`${PIXEL} ${person}`).device).toBe("android");
  });

  it("matches names of HTTP libraries at the start only", () => {
    for (const library of HTTP_LIBRARY_STARTS) {
      expect(read(`${library}1.0`).device).toBe("http-library");
      expect(read(`${PIXEL} Instagram 330.0.0.40.92 ${library}1.0`).device).toBe("android");
      expect(read(`${library}1.0 (Android 15) Instagram 330.0.0.40.92`).device).toBe("android");
    }
  });

  it("recognizes crawlers by name in any case", () => {
    for (const name of PREVIEW_CRAWLER_NAMES) {
      expect(read(`x ${name.toUpperCase()} y`).device).toBe("preview-crawler");
    }
    for (const name of ASSISTANT_NAMES) {
      expect(read(`x ${name.toUpperCase()} y`).device).toBe("assistant");
    }
    for (const name of OTHER_CRAWLER_NAMES) {
      expect(read(`x ${name.toUpperCase()} y`).device).toBe("bot");
    }
  });

  it("recognizes an iPad that identifies as a Macintosh only by a token that no Mac has", () => {
    const mac = "Mozilla/5.0 (Macintosh; Intel Mac OS X 10_15_7) AppleWebKit/605.1.15";
    expect(read(`${mac} Version/18.5 Safari/605.1.15`).device).toBe("desktop");
    expect(read(`${mac} MicroMessenger/6.8.0 MacWechat/3.8.7`).device).toBe("desktop");
    expect(read(`${mac} Mobile/15E148 [FBAN/FBIOS;FBDV/iPad13,4]`)).toMatchObject({
      device: "ios",
      app: "facebook",
    });
    expect(read(`${mac} Mobile/15E148 [LinkedInApp]/9.31`).device).toBe("ios");
  });

  it("classifies a Macintosh with touch as an iPad", () => {
    const mac = "Mozilla/5.0 (Macintosh; Intel Mac OS X 10_15_7) AppleWebKit/605.1.15";
    const readTouched = (userAgent: string, maxTouchPoints: number) =>
      parseUserAgent(userAgent, BUILT_IN_OPENING_TABLE.apps, maxTouchPoints);
    const safari = `${mac} (KHTML, like Gecko) Version/18.5 Safari/605.1.15`;
    expect(readTouched(safari, 5)).toMatchObject({ device: "ios", app: "browser" });
    expect(readTouched(mac, 5)).toMatchObject({ device: "ios", app: "other-view" });
    expect(readTouched(safari, 1).device).toBe("desktop");
    const windows = "Mozilla/5.0 (Windows NT 10.0; Win64; x64) AppleWebKit/537.36 Safari/537.36";
    expect(readTouched(windows, 10).device).toBe("desktop");
  });

  it("classifies a Fire device as a desktop, even in an app", () => {
    const fire = "Mozilla/5.0 (Linux; Android 9; KFTRWI Build/PS7328; wv) Safari/537.36";
    expect(read(`${fire} [FB_IAB/FB4A;FBAV/440.0.0.30.103;]`)).toMatchObject({
      device: "desktop",
      app: "facebook",
    });
  });

  it.each([
    ["bot", "Mozilla/5.0 (Linux; Android 6.0.1; Nexus 5X) Mobile Safari/537.36 (compatible; GoogleOther)"],
    ["bot", "Mozilla/5.0 (Macintosh; Intel Mac OS X 10_15_7) Safari/537.36; compatible; OAI-SearchBot/1.3"],
    ["assistant", "Mozilla/5.0 AppleWebKit/537.36 (KHTML, like Gecko; compatible; Perplexity-User/1.0)"],
    ["assistant", "Mozilla/5.0 (Linux; Android 15; Pixel 9) (compatible; Grok-User/1.0)"],
    ["assistant", "meta-externalfetcher/1.1 (+https://developers.facebook.com/docs/sharing/webmasters/crawler)"],
    ["desktop", "Dalvik/2.1.0 (Linux; U; Android 9; SM-G965U Build/PPR1.180610.011)"],
  ])("is %s, not a phone: %s", (device, userAgent) => {
    expect(read(userAgent).device).toBe(device);
  });

  it.each([
    [
      "android",
      "facebook",
      "[FBAN/FB4A;FBAV/567.1.0.52.74;FBBV/1003893689;FBDM/{density=3.0,width=1080,height=2340};FBLC/nl_NL;FBRV/0;FBCR/KPN;FBMF/samsung;FBBD/samsung;FBPN/com.facebook.katana;FBDV/SM-S921B;FBSV/16;FBOP/1;FBCA/arm64-v8a:;]",
    ],
    ["android", "facebook", "[FB_IAB/FB4A;FBAV/567.1.0.52.74;IABMV/1;]"],
    ["android", "facebook", "[FBAN/EMA;FBLC/en_US;FBAV/480.0.0.9.117;]"],
    ["android", "facebook", "[FBAN/PAAA;FBAV/400.0;FBMF/Xiaomi;FBDV/23113RKC6C;FBSV/15;]"],
    ["ios", "facebook", "[FBAN/FBIOS;FBAV/567.0.0.41.97;FBBV/1;FBSV/26.1;FBLC/de_DE;FBOP/80]"],
    ["ios", "facebook", "[FBAV/567.0.0.41.97;FBDV/iPhone17,1;FBMD/iPhone;FBSN/iOS;FBSV/26.1]"],
    ["ios", "facebook", "[FBAN/FBIOS;FBAV/567.0;FBDV/iPad14,1;FBSN/iPadOS;FBSV/26.1]"],
    [
      "android",
      "facebook",
      "Dalvik/2.1.0 (Linux; U; Android 16; SM-A556B Build/BP2A) [FBAN/FB4A;FBAV/540.0.0.35.148;FBLC/ar_AR;FBDV/SM-A556B;]",
    ],
    ["android", "instagram", "Instagram 400.0.0.49.68 Android (34/14; TECNO BG6; in_ID; 790)"],
    ["ios", "instagram", "Instagram 400.0 (iPhone18,1; iOS 26_1; zh_Hant_HK; zh-Hant-HK; 1206x2622)"],
    ["android", "messenger", "[FBAN/Orca-Android;FBAV/524.0.0.44.109;FBPN/com.facebook.orca;]"],
    ["android", "messenger", "[FBAN/FB4A;FBAV/524.0.0.44.109;FBPN/com.facebook.orca;FBSV/16]"],
    ["ios", "messenger", "[FBAN/MessengerForiOS;FBAV/524.0;FBSV/26.1;FBLC/de_DE]"],
    ["android", "instagram", "[FBAN/InstagramAndroid;FBAV/445.0;FBPN/com.instagram.android;]"],
    ["ios", "instagram", "[FBAN/InstagramForIOS;FBAV/445.0;FBSV/26.1]"],
    ["android", "threads", "[FBAV/420.0;FBPN/com.instagram.barcelona;FBMF/Google;]"],
    ["ios", "threads", "[FBAN/BarcelonaIOS;FBAV/420.0;FBSN/iOS]"],
    ["android", "x", "TwitterAndroid/11.43.1 SM-S921B/16 (samsung;SM-S921B;samsung;0;;1;2024)"],
    ["desktop", "facebook", "Mozilla/5.0 (Windows NT 10.0) [FBAN/FBW;FBAV/1.0;FBMF/Dell;]"],
    ["desktop", "facebook", "[FBAN/FB4A;FBAV/567.1;FBMF/Amazon;FBDV/KFTRWI;FBSV/11]"],
    ["ios", "gemini", `${IPHONE} Mobile/15E148 GoogleWv/1.0 (WKWebView) GeminiiOS/1.2026.2270600`],
    ["ios", "google", `${IPHONE} Mobile/15E148 GoogleWv/1.0 (WKWebView)`],
    ["ios", "chatgpt", "ChatGPT/1.2025.287 (iOS 18.6.2; iPhone17,1; build 18608390057)"],
    ["ios", "copilot", `${IPHONE} Version/18.6 Mobile/15E148 Safari/605.1.15 BingSapphire/32.1`],
  ])("recognizes %s, %s of the short agent %s", (device, app, userAgent) => {
    expect(read(userAgent)).toMatchObject({ device, app });
  });

  it("classifies an empty User-Agent as a bot", () => {
    expect(read("")).toEqual({ device: "bot", app: "browser", appVersion: null });
  });

  it.each([
    [`${IPHONE} Mobile/21E236 Instagram 445.0.0.26.117 (iPhone14,5)`, "445.0.0.26.117"],
    [`${IPHONE} [FBAN/FBIOS;FBAV/461.0.0.38.109;FBBV/5]`, "461.0.0.38.109"],
    [`${IPHONE} [LinkedInApp]/9.29.6403`, "9.29.6403"],
    [`${PIXEL} trill_330603 AppName/musical_ly app_version/33.6.3`, "33.6.3"],
    [`${IPHONE} Reddit/Version 2024.12.0/Build 614973`, "2024.12.0"],
    [`${PIXEL} TwitterAndroid`, null],
    [`${PIXEL} Chrome/138.0.0.0 Safari/537.36`, null],
  ])("finds the app's version in %s", (userAgent, version) => {
    expect(read(userAgent).appVersion).toBe(version);
  });

  it("ignores text beyond the length of any known agent", () => {
    const long = `${IPHONE} ${"x".repeat(AGENT_MAX_LENGTH)}`;
    expect(read(`${long} facebookexternalhit/1.1`)).toEqual(read(long));
  });

  it("accepts any text", () => {
    fc.assert(
      fc.property(fc.string({ unit: "binary", maxLength: 2_000 }), (userAgent) => {
        expect(read(userAgent).app).toMatch(/^[a-z0-9-]+$/);
      }),
    );
  });
});
