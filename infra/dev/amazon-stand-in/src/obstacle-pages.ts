import { htmlDocument, openGraph } from "./html.ts";
import { imageUrl } from "./pages.ts";

/** Like Amazon's captcha pages: a comment for programs, and a form for /errors/validateCaptcha. */
const AUTOMATION_NOTICE =
  "<!-- To discuss automated access to Amazon data please contact api-services-support@amazon.com. -->";

const CAPTCHA_FORM = `<form method="get" action="/errors/validateCaptcha">
      <input type="hidden" name="amzn" value="c3RhbmQtaW4=">
      <h4>Enter the characters you see below</h4>
      <p>Please show that you are no robot.</p>
      <img src="https://images-na.ssl-images-amazon.com/captcha/xzqdsmvh/Captcha_stand-in.jpg">
      <input name="field-keywords"><button type="submit">Continue shopping</button>
    </form>`;

/** A captcha in which the user types letters. */
export const CAPTCHA_PAGE = htmlDocument({
  title: "Amazon.com",
  head: '<script>ue_sn = "opfcaptcha.amazon.com"; ue_id = "STANDIN";</script>',
  body: `${AUTOMATION_NOTICE}\n    ${CAPTCHA_FORM}`,
});

/** A captcha in which the user clicks a button. */
export const CONTINUE_PAGE = htmlDocument({
  title: "Amazon.de",
  language: "de",
  body: `<h4>Klicke auf die Schaltfläche unten, um mit dem Einkauf fortzufahren</h4>
    <form action="/errors/validateCaptcha"><button>Weiter shoppen</button></form>
    <script src="https://m.media-amazon.com/images/S/csm-captcha-instrumentation.min.js"></script>`,
});

export const ROBOT_CHECK_PAGE = htmlDocument({
  title: "Robot Check",
  body: "<h4>Type what you see in the picture.</h4>",
});

/** A page that has only the store's name. */
export const NAME_ONLY_PAGE = htmlDocument({
  title: "Amazon.co.uk",
  body: '<div class="a-box"><button>Continue</button></div>',
});

/** A script challenge of the web application firewall, with status 202. */
export const WAF_PAGE = htmlDocument({
  title: "",
  head: '<script>window.gokuProps = { key: "c3RhbmQtaW4=", context: "x", iv: "y" };</script>',
  body: '<div id="challenge-container"></div><noscript>JavaScript is disabled.</noscript>',
});

/** A script challenge of a content delivery network. */
export const BOT_MANAGER_PAGE = htmlDocument({
  title: "",
  head: '<meta http-equiv="refresh" content="5; URL=\'/dp/B0BOTMANAG?bm-verify=AAQAAAAJ\'">',
  body: "<noscript>Please wait.</noscript>",
});

/** A captcha page with the elements of a product page. */
export const DISGUISED_CAPTCHA_PAGE = htmlDocument({
  title: "Desk lamp : Amazon.com",
  head: openGraph({ title: "Desk lamp", image: imageUrl("71Decoy._AC_SL1500_") }),
  body: `<span id="productTitle">Desk lamp</span>\n    ${CAPTCHA_FORM}`,
});

/** Cookie consent in place of the page. */
export const CONSENT_PAGE = htmlDocument({
  title: "Cookie-Einstellungen auswählen",
  language: "de",
  head: openGraph({ title: "Amazon", site_name: "Amazon.de" }),
  body: `<form id="sp-cc" method="post" action="/privacyprefs/retail/v1/acceptall">
      <h1>Cookie-Einstellungen auswählen</h1>
      <button id="sp-cc-accept">Akzeptieren</button> <button id="sp-cc-rejectall-link">Ablehnen</button>
    </form>`,
});

/** Cookie consent as a banner on an ordinary page. */
export const COOKIE_BANNER = `<form id="sp-cc" action="/privacyprefs/retail/v1/acceptall">
      <button id="sp-cc-accept">Akzeptieren</button>
    </form>`;

export const ERROR_PAGE = htmlDocument({
  title: "Sorry! Something went wrong!",
  body: `${AUTOMATION_NOTICE}
    <a href="/dogsofamazon"><img src="https://images-na.ssl-images-amazon.com/images/G/01/error/500_503.png" alt="Sorry! Something went wrong on our end."></a>`,
});

export const NOT_FOUND_PAGE = htmlDocument({
  title: "Page Not Found",
  head: openGraph({ title: "Page Not Found" }),
  body: `<b>Looking for something?</b>
    <p>We're sorry. The address is no functioning page on our site.</p>
    <p>Sorry, we couldn't find that page. <a href="/dogsofamazon">Meet the Dogs of Amazon</a></p>`,
});
