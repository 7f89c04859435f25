import type { StandInResponse } from "./response.ts";

const to = (location: string, status = 301): StandInResponse => ({ status, location });

/** Valid links: one for each short host and form, most with a tag. */
export const GOOD_LINKS: Record<string, StandInResponse> = {
  "amzn.to/3TapTru": to("https://www.amazon.com/dp/B0CX23V2ZK?tag=tapthru-20&linkCode=ogi&th=1"),
  "amzn.to/4GerSt1": to("https://www.amazon.de/dp/B08N5WRWNW?tag=tapthru-21"),
  "amzn.to/5ShopPg": to("https://www.amazon.com/shop/tapthru-kitchen?tag=tapthru-20"),
  "amzn.to/6SeArch": to("https://www.amazon.co.uk/s?k=desk%20lamp&tag=tapthru-21"),
  "amzn.to/7BytesQ": to("https://www.amazon.com/dp/B0CX23V2ZK?tag=tapthru-20&k=l'%C3%A9t%c3%a9+a%20b&x=~!()&x=&y"),
  "amzn.to/8Utf8Lo": to("https://www.amazon.fr/Été/dp/B08N5WRWNW?tag=tapthru-21"),
  "amzn.to/9PlainH": to("http://www.amazon.com/dp/B0CX23V2ZK?tag=tapthru-20"),
  "a.co/d/0AbCdEf": to("https://www.amazon.com/dp/B0CX23V2ZK?ref=cm_sw_r_cp_ud_dp_0AbCdEf", 302),
  "a.co/0LdForm": to("/d/0AbCdEf", 302),
  "amzn.eu/d/3uRoPe1": to("https://www.amazon.de/dp/B08N5WRWNW?ref=cm_sw_r_apan_dp", 302),
  "amzn.asia/d/4sIa001": to("https://www.amazon.co.jp/dp/B0CX23V2ZK?ref=cm_sw_r_apan_dp", 302),
  "amzn.in/d/1nD1a00": to("https://www.amazon.in/dp/B08N5WRWNW?ref=cm_sw_r_apan_dp", 302),
  "amzn.com/dp/B0CX23V2ZK": to("https://www.amazon.com/dp/B0CX23V2ZK", 308),
  "link.amazon/B0Tp7Hr2U": to("https://amzlinks.in/B0Tp7Hr2U", 302),
  "amzlinks.in/B0Tp7Hr2U": to("https://www.amazon.com/dp/B0CX23V2ZK?tag=tapthru-20", 303),
  "amzlink.to/az0TapThruLnk": to("https://www.amazon.com/dp/B0CX23V2ZK?tag=tapthru-20", 307),
  "amzn.to/relatve": to("3TapTru"),
  "amzn.to/protRel": to("//www.amazon.com/dp/B0CX23V2ZK?tag=tapthru-20"),
  "amzn.to/hops005": to("/hops004"),
  "amzn.to/hops004": to("/hops003"),
  "amzn.to/hops003": to("/hops002"),
  "amzn.to/hops002": to("/hops001"),
  "amzn.to/hops001": to("https://www.amazon.com/dp/B0CX23V2ZK?tag=tapthru-20"),
  "amzn.to/sponsrd": to("https://www.amazon.com/sspa/click?spc=1&url=%2Fdp%2FB0CX23V2ZK&tag=tapthru-20"),
};

export const NON_AMAZON_LINKS: Record<string, StandInResponse> = {
  "amzn.to/evilHst": to("https://evil.example/dp/B0CX23V2ZK"),
  "amzn.to/evilSub": to("https://www.amazon.com.evil.example/dp/B0CX23V2ZK"),
  "amzn.to/evilQry": to("https://evil.example/?u=https://www.amazon.com/dp/B0CX23V2ZK"),
  "amzn.to/evil2nd": to("/evilHst"),
  "amzn.to/metaIps": to("http://169.254.169.254/latest/meta-data/"),
  "amzn.to/loopbck": to("http://127.0.0.1/"),
  "amzn.to/userInf": to("https://www.amazon.com@evil.example/dp/B0CX23V2ZK"),
  "amzn.to/userSto": to("https://me:secret@www.amazon.com/dp/B0CX23V2ZK"),
  "amzn.to/othPort": to("https://www.amazon.com:8443/dp/B0CX23V2ZK"),
  "amzn.to/scripts": to("javascript:alert(document.domain)"),
  "amzn.to/dataUrl": to("data:text/html,<script>alert(1)</script>"),
  "amzn.to/fileUrl": to("file:///etc/passwd"),
  "amzn.to/bckSlsh": to("https://www.amazon.com\\@evil.example/"),
  "amzn.to/noStore": to("https://aws.amazon.com/"),
  "amzn.to/redirHt": to("https://www.amazon.com/gp/redirect.html?location=https%3A%2F%2Fevil.example"),
  "amzn.to/signInA": to("https://www.amazon.com/-/en/%61p/signin?openid.return_to=x"),
  "amzn.to/sspaOut": to("https://www.amazon.com/sspa/click?url=%2F%2Fevil.example%2Fdp%2FB0CX23V2ZK"),
  "amzn.to/othShrt": to("https://bit.ly/3TapTru"),
  "amzn.to/protEvl": to("//evil.example/dp/B0CX23V2ZK"),
};

export const BROKEN_LINKS: Record<string, StandInResponse> = {
  "amzn.to/hops006": to("/hops005"),
  "amzn.to/loopAAA": to("/loopBBB"),
  "amzn.to/loopBBB": to("/loopAAA"),
  "amzn.to/selfLop": to("/selfLop"),
  "amzn.to/metaRef": {
    status: 200,
    body: '<meta http-equiv="refresh" content="0;url=https://www.amazon.com/dp/B0CX23V2ZK">',
  },
  "amzn.to/status2": { status: 200, location: "https://www.amazon.com/dp/B0CX23V2ZK" },
  "amzn.to/status3": { status: 300, location: "https://www.amazon.com/dp/B0CX23V2ZK" },
  "amzn.to/noWhere": { status: 301 },
  "amzn.to/missing": { status: 404 },
  "amzn.to/crashed": { status: 500 },
  "amzn.to/refused": { status: 503 },
  "amzn.to/hanging": { fault: "hangs" },
  "amzn.to/dripping": { fault: "slow headers" },
  "amzn.to/headers": { fault: "endless headers" },
  "amzn.to/hugeLoc": { fault: "huge location" },
  "amzn.to/twoLocs": { fault: "two locations" },
  "amzn.to/breakOf": { fault: "closes early" },
  "amzn.to/noHttp0": { fault: "sends no HTTP" },
};

/** All links by host (without `www.`) and path. */
export const SHORT_LINKS: Readonly<Record<string, StandInResponse>> = {
  ...GOOD_LINKS,
  ...NON_AMAZON_LINKS,
  ...BROKEN_LINKS,
};
