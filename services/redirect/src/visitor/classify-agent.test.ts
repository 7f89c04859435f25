import { readFileSync } from "node:fs";
import { parseUserAgent } from "@tapthru/proto/rules/agents/agent";
import { BUILT_IN_OPENING_TABLE } from "@tapthru/proto/rules/app-opening/built-in-app-opening";
import crawlers from "crawler-user-agents";
import { expect, it } from "vitest";
import { classifyAgent, sendsBrowserHeaders } from "./classify-agent.ts";

function classOf(userAgent: string) {
  return classifyAgent(userAgent, parseUserAgent(userAgent, BUILT_IN_OPENING_TABLE.apps));
}

const AGENTS = readFileSync(new URL("../../../../proto/src/rules/agents/testing/agents.tsv", import.meta.url), "utf8")
  .split("\n")
  .filter((line) => line !== "" && !line.startsWith("#"))
  .map((line) => line.split("\t"));

const MAC = "Mozilla/5.0 (Macintosh; Intel Mac OS X";
const WINDOWS = "Mozilla/5.0 (Windows NT";
const PIXEL = "Mozilla/5.0 (Linux; Android 15; Pixel 9; wv) AppleWebKit/537.36 Chrome/138.0.0.0";

it("recognizes 99 % of the agents of crawler-user-agents", () => {
  const agents = crawlers.flatMap(({ instances }) => instances);
  expect(agents.length).toBeGreaterThan(2_000);
  const people = agents.filter((agent) => classOf(agent) === "person");
  expect(people.length / agents.length).toBeLessThan(0.01);
});

it("takes people in known in-app browsers for people", () => {
  const inApps = AGENTS.filter(
    ([device = "", app = ""]) => /^(ios|android|desktop)$/.test(device) && !/^(browser|other-view|-)$/.test(app),
  );
  expect(inApps.length).toBeGreaterThan(50);
  for (const [, , , agent = ""] of inApps) expect([agent, classOf(agent)]).toEqual([agent, "person"]);
});

it.each([
  ["person", `${PIXEL} Mobile Safari/537.36 Instagram 406.0.0.58.159 Android (35/15; Google; Pixel 9)`],
  ["preview", "facebookexternalhit/1.1"],
  ["bot", "Mozilla/5.0 (compatible; Googlebot/2.1; +http://www.google.com/bot.html)"],
  ["preview", "Synapse (bot; +https://github.com/matrix-org/synapse)"],
  ["preview", "Notion/1.0 (https://notion.so; team@makenotion.com)"],
  ["preview", "Mozilla/5.0 (compatible; Meta-ExternalHit/1.1; +http://www.facebook.com/)"],
  ["preview", "Mastodon/4.5.0 (http.rb/5.3.1; +https://mastodon.social/) Bot"],
  ["bot", "Mozilla/5.0 (Linux; Android 5.0) Mobile Safari/537.36 (compatible; Bytespider)"],
  ["bot", "meta-externalagent/1.1 (+https://developers.facebook.com/docs/sharing)"],
  ["bot", "curl/8.5.0"],
  ["assistant", "Mozilla/5.0 (compatible; ChatGPT-User/1.0; +https://openai.com/bot)"],
  ["assistant", "Mozilla/5.0 (compatible; DuckAssistBot/1.2)"],
  ["assistant", "Mozilla/5.0 (Linux; Android 6.0.1; Nexus 5X) (compatible; NotebookLM)"],
  ["assistant", `${WINDOWS} 10.0) Chrome/140.0.0.0 Safari/537.36 NovaAct/1.0`],
  ["person", "[FBAN/FB4A;FBAV/567.1.0.52.74;FBPN/com.facebook.katana;FBDV/SM-S921B;]"],
  ["bot", "Mozilla/5.0 (Windows NT 5.1; rv:11.0) Gecko Firefox/11.0 (via ggpht.com GoogleImageProxy)"],
  ["bot", "Mozilla/4.0 (compatible; MSIE 7.0; Windows NT 10.0; Trident/7.0; ms-office)"],
  ["bot", `${MAC} 10.10; rv:38.0) Gecko/20100101 Firefox/38.0`],
  ["bot", "Mozilla/5.0 (Windows; U; Windows NT 5.1; de; rv:1.9.2.28) Gecko/20120306 Firefox/3.6.28"],
  ["bot", `${WINDOWS} 6.1; WOW64) AppleWebKit/537.36 Chrome/41.0.2228.0 Safari/537.36`],
  ["bot", `${MAC} 10_9_5) AppleWebKit/600.8.9 Version/7.1.8 Safari/537.85.17`],
  ["bot", "Mozilla/4.0 (compatible; MSIE 8.0; Windows NT 6.1; Trident/4.0)"],
  ["bot", `${WINDOWS} 10.0) Chrome/42.0.2311.135 Safari/537.36 Edge/12.246`],
  ["bot", "Opera/9.80 (Windows NT 5.1; U; en) Presto/2.2.15 Version/10.00"],
  ["person", `${WINDOWS} 5.1; rv:52.0) Gecko/20100101 Firefox/52.0`],
  ["person", `${WINDOWS} 5.1) AppleWebKit/537.36 Chrome/49.0.2623.112 Safari/537.36`],
  ["person", `${WINDOWS} 6.1; Win64; x64; rv:115.0) Gecko/20100101 Firefox/115.0`],
  ["person", `${WINDOWS} 6.1; WOW64; Trident/7.0; rv:11.0) like Gecko`],
  ["person", "Mozilla/4.0 (compatible; MSIE 7.0; Windows NT 6.1; Trident/7.0)"],
  ["person", `${MAC} 10_11_6) AppleWebKit/601.7.7 Version/9.1.2 Safari/601.7.7`],
  ["person", "Opera/9.80 (Android; Opera Mini/36.2/119.132; U; id) Presto/2.12.423 Version/12.16"],
  ["person", "Mozilla/5.0 (X11; CrOS x86_64 14541.0.0) Chrome/141.0.0.0 Safari/537.36"],
  ["person", "Mozilla/5.0 (X11; Linux armv7l like Android) Version/5.0 Safari/533.2+ Kindle/3.0+"],
  ["bot", "Mozilla/5.0 (X11; Linux aarch64) AppleWebKit/537.36 Chrome/41.0.2228.0 Safari/537.36"],
  ["bot", "Mozilla/5.0 (X11; Linux armv7l; rv:38.0) Gecko/20100101 Firefox/38.0"],
  ["bot", "Mozilla/5.0 (X11; U; SunOS sun4u; en-US; rv:1.9.2.28) Gecko/20120306 Firefox/3.6.28"],
  ["bot", "Mozilla/5.0 (X11; Ubuntu; Linux ppc64le; rv:45.0) Gecko/20100101 Firefox/45.0"],
  ["person", "Mozilla/5.0 (X11; Linux aarch64; rv:128.0) Gecko/20100101 Firefox/128.0"],
  ["person", "Mozilla/5.0 (SMART-TV; X11; Linux armv7l) AppleWebKit/537.42 Version/6.0 Safari/537.42"],
  ["person", "Mozilla/5.0 (Unknown; Linux armv7l) AppleWebKit/537.1+ Safari/537.1+ LG Browser/6.00.00"],
  ["bot", "SpringBoard/50 CFNetwork/1209 Darwin/20.2.0"],
  ["bot", "MobileSafari/8621.3.1 CFNetwork/3826.600 Darwin/24.6.0"],
  ["bot", "Ivory/23010 CFNetwork/1568.200 Darwin/24.1.0"],
  ["bot", "My%20App/7 (unknown version) CFNetwork/1410.0.3 Darwin/22.6.0 (x86_64)"],
  ["bot", "Instagram/300 CFNetwork/1410.0.3 Darwin/22.6.0"],
  ["bot", "com.apple.WebKit.Networking/21624.2.5.11.4 Network/5812.121.1 macOS/26.5.1"],
  ["bot", "com.apple.WebKit.Networking/21624.2.5.11.4 Network/5812.121.1 iOS/26.1"],
  ["bot", "com.apple.WebKit.Networking/8609.2.9.0.5"],
  ["bot", "NetworkingExtension/8623.2.7.10.4 Network/5569.82.5 iOS/26.3"],
  ["bot", "MobileSafari/8623.2.7 Network/5569.82.5 iPadOS/26.3"],
  ["bot", "My%20App/7 (unknown version) Network/5569.82.5 watchOS/26.0"],
  ["person", "Mozilla/5.0 (iPhone; CPU iPhone OS 18_7 like Mac OS X) Mobile/15E148 Network/5569.82.5 iOS/26.3"],
  ["person", "Instagram 400.0 (iPhone18,1; iOS 26_1; de_DE; 1206x2622) Network/Wifi iOS/26.1"],
  ["bot", "Dart/3.5 (dart:io)"],
  ["bot", "Dart/2.19 (dart:io)"],
  ["bot", "Dalvik/2.1.0 (Linux; U; Android 14; Pixel 8 Build/AP1A.240405.002)"],
  ["person", "Mozilla/5.0 (iPhone; CPU iPhone OS 17_0 like Mac OS X) Mobile/15E148 CFNetwork/1410.0.3 Darwin/22.6.0"],
  ["person", `${PIXEL} Mobile Safari/537.36 Dart/3.5 (dart:io)`],
  ["person", "Dalvik/2.1.0 (Linux; U; Android 16; SM-A556B) [FBAN/FB4A;FBAV/540.0;FBDV/SM-A556B;]"],
  ["preview", "matrix-media-repo"],
  ["preview", "matrix-media-repo v1.3.7"],
  ["preview", "Ghost(https://github.com/TryGhost/Ghost)"],
  ["preview", "Ghost/5.82.1 (+https://github.com/TryGhost/Ghost/)"],
  ["preview", "Mozilla/5.0 (compatible; AnytypeBot/1.0)"],
  ["preview", "Mozilla/5.0 (compatible; AnytypeBot/2.1; +https://anytype.io)"],
  ["preview", "ListGemBot/1.0 (+https://listgem.com/bot)"],
  ["preview", "Mozilla/5.0 (compatible; ListGemBot/2.3; +https://listgem.com/bot)"],
  ["preview", "Asana/1.4.0 WebsiteMetadataRetriever"],
  ["preview", "LarkUrl2Meta/1.0"],
  ["preview", "Mbin/1.9.1 (+https://mbin.example/agent)"],
  ["preview", "XenForo/2.x (https://forum.example)"],
  ["preview", "Mozilla/5.0 (compatible; January/1.0; +https://github.com/revoltchat/january)"],
  ["preview", "Mozilla/5.0 (compatible; January/2.0; +https://github.com/stoatchat/stoatchat)"],
  ["preview", "Yahoo:LinkExpander:Slingstone"],
  ["person", `${MAC} 10_15_7) AppleWebKit/605.1.15 Version/26.1 Safari/605.1.15 January/1`],
  ["bot", ""],
])("is %s: %s", (expected, agent) => {
  expect(classOf(agent)).toBe(expected);
});

const CHROME = "AppleWebKit/537.36 (KHTML, like Gecko) Chrome/103.0.0.0 Safari/537.36";

it.each([
  [true, "X11; Linux aarch64"],
  [true, "X11; Linux armv7l"],
  [true, "X11; Linux i686"],
  [true, "X11; Linux riscv64"],
  [true, "X11; SunOS i86pc"],
  [true, "X11; CrOS aarch64 14541.0.0"],
  [true, "X11; FreeBSD arm64"],
  [true, "Wayland; Linux aarch64"],
  [true, "Windows NT 11.0; Win64; ARM64"],
  [true, "Macintosh; Intel Mac OS X 10_15_7"],
  [false, "Linux; Android 10; K"],
  [false, "X11; Linux armv7l like Android"],
  [false, "Web0S; Linux/SmartTV"],
  [false, "SMART-TV; Linux; Tizen 6.0"],
  [false, "Windows Phone 10.0; Android 6.0.1"],
  [false, "PlayStation; PlayStation 5/6.50"],
])("Chrome always sends its headers (%s) on %s", (isComputer, system) => {
  const agent = `Mozilla/5.0 (${system}) ${CHROME}`;
  expect(sendsBrowserHeaders(agent, parseUserAgent(agent, BUILT_IN_OPENING_TABLE.apps))).toBe(isComputer);
});
