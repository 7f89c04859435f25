import { describe, expect, it } from "vitest";
import type { UnhealthyLink } from "./digest-mail.ts";
import { digestMail } from "./digest-mail.ts";

const SITE = { publicBaseUrl: "https://tapthru.example", productName: "Tapthru" };
const TOKEN = "6f1c1f0e-6a37-4b0f-9d0e-0d7c1f7c2f54";
const RECIPIENT = { userId: 42, token: TOKEN };

const link = (changes: Partial<UnhealthyLink> = {}): UnhealthyLink => ({
  shortCode: "lamp",
  nickname: "Desk lamp",
  title: null,
  originalUrl: "https://www.amazon.com/dp/B08N5WRWNW",
  state: "product-gone",
  total: 1,
  ...changes,
});

describe("digestMail", () => {
  it("has name, short URL, reason, advice and page of each link, in the text and in the HTML", () => {
    const { subject, text, html } = digestMail(SITE, [link()], RECIPIENT);
    expect(subject).toBe("1 of your links needs attention");
    expect(text).toBe(`1 of your links needs attention.

Desk lamp
https://tapthru.example/l/lamp
Product gone. Amazon no longer has this product.
What to do: Change the destination of the link to another product. The short link stays the same.
Open the page of this link: https://tapthru.example/a/42/link/lamp

--
You get this email at most once a week, because you have an account at Tapthru.
Stop these emails: https://tapthru.example/api/digest/unsubscribe?token=${TOKEN}`);
    for (const part of ["Desk lamp", "/l/lamp", "/link/lamp", "Product gone.", "What to do:"]) {
      expect(html).toContain(part);
    }
  });

  it("says how many more links need attention, with the address of the list", () => {
    const { subject, text, html } = digestMail(SITE, [link({ total: 12 })], RECIPIENT);
    expect(subject).toBe("12 of your links need attention");
    expect(text).toContain("11 more links need attention: https://tapthru.example/a/42/dashboard?show=");
    expect(html).toContain("11 more links need attention</a>");
  });

  it("uses the title without a nickname, and the product id without both", () => {
    const { text } = digestMail(
      SITE,
      [link({ nickname: null, title: "A lamp\nfor desks" }), link({ nickname: null })],
      RECIPIENT,
    );
    expect(text).toContain("\nA lamp for desks\n");
    expect(text).toContain("B08N5WRWNW");
  });

  it("escapes names in the HTML, and puts none into the headers", () => {
    const name = `<img src=x onerror=alert(1)>"&'\r\nBcc: eve@t.example`;
    const { html, text, subject, headers } = digestMail(SITE, [link({ nickname: name })], RECIPIENT);
    expect(html).not.toContain("<img");
    expect(html).toContain("&lt;img src=x onerror=alert(1)&gt;&quot;&amp;&#39; Bcc eve@t example");
    expect(text).not.toContain("\r");
    expect(JSON.stringify([subject, headers])).not.toContain("eve@");
  });
});
