// Values that attackers put into addresses, by kind.

const FOREIGN_ADDRESSES = [
  ...`
    https://evil.example/ //evil.example /\\evil.example \\\\evil.example https:evil.example https:///evil.example
    https://www.amazon.de@evil.example/ https://www.amazon.de:443@evil.example/ https://www.amazon.de.evil.example/
    https://evil.example/www.amazon.de/ https://evil.example#www.amazon.de https://evil.example?www.amazon.de
    https://www.amazon.de\\@evil.example/ https://xn--mazon-3ve.de/ https://amazon.de. https://aws.amazon.de/
    https://amazon.evil/ http://[::ffff:127.0.0.1]/ https://127.0.0.1/ ftp://www.amazon.de/ file:///etc/passwd
    javascript:__pwned=1//amazon.de JaVaScRiPt:__pwned=1 data:text/html,<script>__pwned=1</script>
    vbscript:__pwned=1 blob:https://www.amazon.de/x intent://evil.example#Intent;scheme=https;package=com.evil;end
    com.amazon.mobile.shopping.web://evil.example/ x-safari-https://evil.example/
    https://www.amazon.de%2eevil.example/ https://www.amazon.de%00.evil.example/ https://www.amazon.de:8443/
    https://user:pass@www.amazon.de/ https://www.amazon.de;evil.example/
    https://evil.example/?u=https://www.amazon.de/dp/B0ZZ1Y2X3W https://amazon.de.evil.example/dp/B0ZZ1Y2X3W
    wss://www.amazon.de/ about:blank
  `
    .trim()
    .split(/\s+/),
  "java\tscript:__pwned=1",
  "https://www\u3002amazon\u3002de/",
];

const MARKUP = [
  `"><script>__pwned=1</script>`,
  `'><script>__pwned=1</script>`,
  `</a><script>__pwned=1</script>`,
  `</script><script>__pwned=1</script>`,
  `</style><script>__pwned=1</script>`,
  `" onfocus="__pwned=1" autofocus="`,
  `' onclick='__pwned=1`,
  "` onload=`__pwned=1",
  `<img src=x onerror=__pwned=1>`,
  `<svg/onload=__pwned=1>`,
  `<base href=//evil.example>`,
  `<meta http-equiv=refresh content="0;url=//evil.example">`,
  `<iframe srcdoc="<script>parent.__pwned=1</script>">`,
  `<!--><script>__pwned=1</script>`,
  `]]><script>__pwned=1</script>`,
  `&quot;><script>__pwned=1</script>`,
  `&#34;&#62;&lt;script&gt;`,
  `\u2028__pwned=1\u2029`,
  `\u00bcscript\u00be__pwned=1`,
  "<%= __pwned=1 %>",
  "{{constructor.constructor('__pwned=1')()}}",
];

const INTENT_PARTS = [
  "#Intent;scheme=javascript;package=com.evil;end",
  "#Intent;S.browser_fallback_url=https%3A%2F%2Fevil.example;end",
  ";package=com.evil;",
  ";S.browser_fallback_url=https://evil.example;end",
  ";component=com.evil/.Main;",
  ";SEL;scheme=tel;",
  ";end",
  "%23Intent;package=com.evil;end",
];

const HEADER_PARTS = [
  "\r\nX-Pwned: 1",
  "\nSet-Cookie: pwned=1",
  "\r\n\r\n<script>__pwned=1</script>",
  "\u560a\u560dX-Pwned:1",
  "\u0000",
  "%00",
  "%0d%0aX-Pwned:%201",
  "%250d%250aX-Pwned:%201",
];

const UNENCODED = [...FOREIGN_ADDRESSES, ...MARKUP, ...INTENT_PARTS, ...HEADER_PARTS];

/** Each value unencoded, encoded once and encoded twice. */
export const HOSTILE_VALUES: readonly string[] = [
  ...new Set(
    UNENCODED.flatMap((value) => [value, encodeURIComponent(value), encodeURIComponent(encodeURIComponent(value))]),
  ),
];
