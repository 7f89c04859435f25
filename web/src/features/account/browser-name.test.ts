import { expect, test } from "vitest";
import { browserName } from "./sessions.tsx";

const MAC = "Mozilla/5.0 (Macintosh; Intel Mac OS X 10_15_7)";
const WINDOWS = "Mozilla/5.0 (Windows NT 10.0; Win64; x64)";
const CHROME = "AppleWebKit/537.36 (KHTML, like Gecko) Chrome/138.0.0.0";
const IPHONE = "Mozilla/5.0 (iPhone; CPU iPhone OS 18_6 like Mac OS X) AppleWebKit/605.1.15 (KHTML, like Gecko)";

test.each([
  [`${WINDOWS} ${CHROME} Safari/537.36`, "Chrome on Windows"],
  [`${WINDOWS} ${CHROME} Safari/537.36 Edg/138.0.0.0`, "Microsoft Edge on Windows"],
  [`${MAC} ${CHROME} Safari/537.36 OPR/120.0.0.0`, "Opera on macOS"],
  [`${MAC} AppleWebKit/605.1.15 (KHTML, like Gecko) Version/18.6 Safari/605.1.15`, "Safari on macOS"],
  [`${IPHONE} Version/18.6 Mobile/15E148 Safari/604.1`, "Safari on iPhone"],
  [`${IPHONE} CriOS/138.0.7204.53 Mobile/15E148 Safari/604.1`, "Chrome on iPhone"],
  [`${IPHONE} FxiOS/140.0 Mobile/15E148 Safari/604.1`, "Firefox on iPhone"],
  [`Mozilla/5.0 (Linux; Android 10; K) ${CHROME} Mobile Safari/537.36`, "Chrome on Android"],
  [
    `Mozilla/5.0 (Linux; Android 15) ${CHROME} SamsungBrowser/28.0 Mobile Safari/537.36`,
    "Samsung Internet for Android",
  ],
  [`Mozilla/5.0 (X11; CrOS x86_64 14541.0.0) ${CHROME} Safari/537.36`, "Chrome on Chrome OS"],
  ["Mozilla/5.0 (X11; Linux x86_64; rv:140.0) Gecko/20100101 Firefox/140.0", "Firefox on Linux"],
  ["curl/8.5.0", "Unknown browser"],
  [null, "Unknown browser"],
])("%s is called %s", (userAgent, name) => {
  expect(browserName(userAgent)).toBe(name);
});
