const IPHONE = "Mozilla/5.0 (iPhone; CPU iPhone OS 18_6 like Mac OS X) AppleWebKit/605.1.15 (KHTML, like Gecko)";
const ANDROID =
  "Mozilla/5.0 (Linux; Android 15; Pixel 9 Build/AP4A.250205.002; wv) AppleWebKit/537.36 (KHTML, like Gecko) Version/4.0 Chrome/138.0.0.0 Mobile Safari/537.36";

/** User agents of in-app browsers, by strategy id. */
export const USER_AGENTS = {
  "browser-ios": `${IPHONE} Version/18.6 Mobile/15E148 Safari/604.1`,
  "browser-android":
    "Mozilla/5.0 (Linux; Android 10; K) AppleWebKit/537.36 (KHTML, like Gecko) Chrome/138.0.0.0 Mobile Safari/537.36",
  "instagram-ios-before-417": `${IPHONE} Mobile/21E236 Instagram 329.0.4.28.77 (iPhone14,5; iOS 17_4_1; en_US; en; scale=3.00; 1170x2532; 592466571)`,
  "instagram-ios": `${IPHONE} Mobile/22G86 Instagram 445.0.0.26.117 (iPhone16,2; iOS 18_6; en_US; en; scale=3.00; 1290x2796; 772143611)`,
  "instagram-android": `${ANDROID} Instagram 330.0.0.40.92 Android (34/14; 420dpi; 1080x2176; samsung; SM-G998B; p3s; exynos2100; en_GB; 595885219)`,
  "threads-ios": `${IPHONE} Mobile/22G86 Barcelona 413.1.0.23.79 (iPhone18,1; iOS 26_3; en_US)`,
  "facebook-ios": `${IPHONE} Mobile/22G86 [FBAN/FBIOS;FBAV/560.0.0.38.109;FBBV/592160387;FBDV/iPhone14,5]`,
  "tiktok-ios": `${IPHONE} Mobile/15E148 musical_ly_34.4.0 JsSdk/2.0 BytedanceWebview/d8a21c6`,
  "tiktok-android": `${ANDROID} trill_330603 AppName/musical_ly app_version/33.6.3 BytedanceWebview/d8a21c6`,
  "x-ios": `${IPHONE} Mobile/22G86 Twitter for iPhone/11.57`,
  "pinterest-ios": `${IPHONE} Mobile/15E148 [Pinterest/iOS]`,
  "whatsapp-android": `${ANDROID} [WA4A/2.26.19.73]`,
  "line-ios": `${IPHONE} Mobile/15E148 Safari Line/14.9.0`,
  "wechat-android": `${ANDROID} MicroMessenger/8.0.47.2560(0x28002F51) WeChat/arm64`,
  "kakaotalk-ios": `${IPHONE} Mobile/15E148 KAKAOTALK 25.8.0`,
} as const;
export type StrategyId = keyof typeof USER_AGENTS;

export function isIphone(strategy: StrategyId): boolean {
  return USER_AGENTS[strategy].includes("iPhone");
}
