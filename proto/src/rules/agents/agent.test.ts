import { readFileSync } from "node:fs";
import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { BUILT_IN_OPENING_TABLE } from "../app-opening/built-in-app-opening.ts";
import { AGENT_MAX_LENGTH, parseUserAgent, programIn } from "./agent.ts";
import { ASSISTANT_NAMES, HTTP_LIBRARY_STARTS, OTHER_CRAWLER_NAMES, PREVIEW_CRAWLER_NAMES } from "./crawlers.ts";

const read = (userAgent: string, maxTouchPoints = 0) =>
  parseUserAgent(userAgent, BUILT_IN_OPENING_TABLE.apps, maxTouchPoints);

const AGENTS = readFileSync(new URL("./testing/agents.tsv", import.meta.url), "utf8")
  .split("\n")
  .filter((line) => line !== "" && !line.startsWith("#"))
  .map((line) => {
    const [device = "", app = "", , userAgent = ""] = line.split("\t");
    return { device, app, userAgent };
  });

const IPHONE = "Mozilla/5.0 (iPhone; CPU iPhone OS 18_6 like Mac OS X)";
const PIXEL = "Mozilla/5.0 (Linux; Android 15; Pixel 9)";
const MAC = "Mozilla/5.0 (Macintosh; Intel Mac OS X 10_15_7) AppleWebKit/605.1.15";
const SAFARI = `${MAC} (KHTML, like Gecko) Version/18.5 Safari/605.1.15`;

it("reads the name of each program of the lists without blanks, and no other", () => {
  const names = [...PREVIEW_CRAWLER_NAMES, ...ASSISTANT_NAMES, ...OTHER_CRAWLER_NAMES];
  for (const agent of [...names.map((name) => `${PIXEL} ${name} y`), ...HTTP_LIBRARY_STARTS])
    expect([agent, programIn(agent.toUpperCase())]).toEqual([agent, expect.stringMatching(/^\w[\w.-]*[\w]$/)]);
  expect(programIn("Snap URL Preview Service; bot")).toBe("Snap-URL-Preview-Service");
  expect(programIn(`${SAFARI} facebookexternalhit/1.1 Facebot Twitterbot/1.0`)).toMatch(/^facebookexternalhit-1.1-/);
  for (const agent of ["", SAFARI, "secretbot/1.0", `${PIXEL} curl/8`]) expect(programIn(agent)).toBeUndefined();
});

describe("parseUserAgent", () => {
  it.each(AGENTS)("recognizes $device, $app: $userAgent", ({ device, app, userAgent }) => {
    const agent = read(userAgent);
    expect(agent.device).toBe(device);
    if (app !== "-") expect(agent.app).toBe(app);
  });

  it("matches names of HTTP libraries at the start only", () => {
    for (const library of HTTP_LIBRARY_STARTS) {
      expect(read(`${library}1.0`).device).toBe("http-library");
      expect(read(`${PIXEL} ${library}1.0`).device).toBe("android");
      expect(read(`${library}1.0 (Android 15) Instagram 330.0.0.40.92`).device).toBe("android");
    }
  });

  it.each([
    ["preview-crawler", PREVIEW_CRAWLER_NAMES],
    ["assistant", ASSISTANT_NAMES],
    ["bot", OTHER_CRAWLER_NAMES],
  ])("recognizes each %s by its name in any case, also on a phone", (device, names) => {
    for (const name of names) expect([name, read(`${PIXEL} ${name.toUpperCase()} y`).device]).toEqual([name, device]);
  });

  it.each([
    ["desktop", "browser", 0, SAFARI],
    ["desktop", "browser", 1, SAFARI],
    ["ios", "browser", 5, SAFARI],
    ["ios", "other-view", 5, MAC],
    ["ios", "facebook", 0, `${MAC} Mobile/15E148 [FBAN/FBIOS;FBDV/iPad13,4]`],
    ["desktop", "wechat", 0, `${MAC} MicroMessenger/6.8.0 MacWechat/3.8.7`],
    ["desktop", "browser", 10, "Mozilla/5.0 (Windows NT 10.0; Win64; x64) AppleWebKit/537.36 Safari/537.36"],
    ["desktop", "facebook", 0, "Mozilla/5.0 (Linux; Android 9; KFTRWI Build/PS7328; wv) [FB_IAB/FB4A;FBAV/440.0;]"],
    ["desktop", "browser", 0, "Dalvik/2.1.0 (Linux; U; Android 9; SM-G965U Build/PPR1.180610.011)"],
    ["android", "browser", 0, `${PIXEL} OnLine/5.0 Line/x Safari/537.36`],
    ["bot", "browser", 0, ""],
  ])("is %s, %s with %i points of touch: %s", (device, app, maxTouchPoints, userAgent) => {
    expect(read(userAgent, maxTouchPoints)).toMatchObject({ device, app });
  });

  it.each([
    ["android", "facebook", "[FBAN/FB4A;FBAV/567.1.0.52.74;FBLC/nl_NL]"],
    ["android", "facebook", "[FBAN/EMA;FBLC/en_US;FBAV/480.0.0.9.117;]"],
    ["android", "facebook", "[FBAN/PAAA;FBAV/400.0;FBMF/Xiaomi;FBDV/23113RKC6C;FBSV/15;]"],
    ["ios", "facebook", "[FBAN/FBIOS;FBAV/567.0.0.41.97;FBSV/26.1;FBLC/de_DE]"],
    ["android", "instagram", "[FBAN/InstagramAndroid;FBAV/445.0;FBPN/com.instagram.android;]"],
    ["android", "facebook", "Dalvik/2.1.0 (Linux; U; Android 16; SM-A556B) [FBAN/FB4A;FBAV/540.0;FBDV/SM-A556B;]"],
    ["android", "instagram", "Instagram 400.0.0.49.68 Android (34/14; TECNO BG6; in_ID; 790)"],
    ["ios", "instagram", "Instagram 400.0 (iPhone18,1; iOS 26_1; zh_Hant_HK; zh-Hant-HK; 1206x2622)"],
    ["android", "messenger", "[FBAN/FB4A;FBAV/524.0.0.44.109;FBPN/com.facebook.orca;FBSV/16]"],
    ["android", "threads", "[FBAV/420.0;FBPN/com.instagram.barcelona]"],
    ["android", "x", "TwitterAndroid/11.43.1 SM-S921B/16 (samsung;SM-S921B;samsung;0;;1;2024)"],
    ["desktop", "facebook", "Mozilla/5.0 (Windows NT 10.0) [FBAN/FBW;FBAV/1.0;FBMF/Dell;]"],
    ["desktop", "facebook", "[FBAN/FB4A;FBAV/567.1;FBMF/Amazon;FBDV/KFTRWI;FBSV/11]"],
    ["ios", "gemini", `${IPHONE} Mobile/15E148 GoogleWv/1.0 (WKWebView) GeminiiOS/1.2026.2270600`],
    ["ios", "chatgpt", "ChatGPT/1.2025.287 (iOS 18.6.2; iPhone17,1; build 18608390057)"],
  ])("recognizes %s, %s of the short agent %s", (device, app, userAgent) => {
    expect(read(userAgent)).toMatchObject({ device, app });
  });

  it.each([
    [`${IPHONE} Mobile/21E236 Instagram 445.0.0.26.117 (iPhone14,5)`, "445.0.0.26.117"],
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
