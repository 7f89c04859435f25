import { createHash } from "node:crypto";
import { parse } from "node:querystring";
import type { Router } from "@koa/router";
import { actAs } from "@tapthru/core/platform/audit-log";
import { changing, type Db } from "@tapthru/core/platform/postgres/postgres";
import * as calls from "@tapthru/proto/digest";
import { UNSUBSCRIBE_PATH, UnsubscribeQuery } from "@tapthru/proto/digest";
import { loginRequired } from "@tapthru/proto/general-errors";
import { escapeHtml, LOGO_SVG, PAGE_COLORS_STYLE } from "@tapthru/proto/rules/page-style";
import type { Context } from "koa";
import { sql } from "slonik";
import * as z from "zod/mini";
import type { Api } from "../api.ts";
import { requestActor } from "../callers/request-actor.ts";
import { handlers } from "../calls/handlers.ts";
import { ApiError } from "../http/errors.ts";

/** None of these calls accepts an API key. */
export const digestHandlers = handlers(calls, {
  getDigest: (api, { userId }) => digestSettings(api, userId),

  saveDigest: async (api, { userId, body: { isOn } }) => {
    const unsubscribedAt = isOn ? sql.fragment`NULL` : sql.fragment`now()`;
    await api.db.query(sql.type(z.object({}))`
      INSERT INTO digests (user_id, unsubscribed_at) VALUES (${userId}, ${unsubscribedAt})
      ON CONFLICT (user_id) DO UPDATE SET unsubscribed_at = excluded.unsubscribed_at, refused_at = NULL
    `);
    return digestSettings(api, userId);
  },
});

async function digestSettings({ db, sendsDigests }: Api, userId: number) {
  const digest = await findDigest(db, userId);
  if (digest === null) throw new ApiError(loginRequired);
  return { ...digest, isAvailable: sendsDigests };
}

const DigestRow = z.object({
  isOn: z.boolean(),
  isRefused: z.boolean(),
  emailIsVerified: z.boolean(),
  /** Unix milliseconds; null if none was sent. */
  sentAt: z.nullable(z.number()),
});

/** @returns null if there is no such user */
export function findDigest(db: Db<"maybeOne">, userId: number) {
  return db.maybeOne(sql.type(DigestRow)`
    SELECT unsubscribed_at IS NULL AS "isOn", refused_at IS NOT NULL AS "isRefused", email_is_verified AS "emailIsVerified",
      sent_at AS "sentAt"
    FROM users LEFT JOIN digests ON user_id = users.id WHERE users.id = ${userId}
  `);
}

export function unsubscribeRoutes(router: Router, { db, publicAccess }: Api) {
  // Programs that look at links in emails open them, so that only the button unsubscribes.
  router.get(UNSUBSCRIBE_PATH, async (ctx: Context) => {
    await publicAccess(ctx);
    sendPage(ctx, tokenOf(ctx) === null ? "invalid" : "question");
  });

  router.post(UNSUBSCRIBE_PATH, async (ctx: Context) => {
    await publicAccess(ctx);
    const token = tokenOf(ctx);
    const unsubscribe = () =>
      db.maybeOne(changing(z.object({ userId: z.int() }))`
        WITH digest AS (
          UPDATE digests SET unsubscribed_at = coalesce(unsubscribed_at, now())
          WHERE unsubscribe_token = ${token} RETURNING user_id
        ), alerts AS (
          UPDATE webhooks SET disabled_at = coalesce(disabled_at, now()) WHERE unsubscribe_token = ${token} RETURNING user_id
        )
        SELECT user_id AS "userId" FROM digest UNION ALL SELECT user_id FROM alerts
      `);
    const user = token && (await actAs(requestActor(ctx, null), unsubscribe));
    sendPage(ctx, user ? "done" : "invalid");
  });
}

function tokenOf(ctx: Context): string | null {
  return z.safeParse(UnsubscribeQuery, parse(ctx.querystring)).data?.token ?? null;
}

const STYLE = `
${PAGE_COLORS_STYLE}
* { box-sizing: border-box; }
body { margin: 0; min-height: 100svh; display: grid; place-items: center; padding: 24px; background: var(--page); color: var(--ink); font: 1.0625rem/1.5 system-ui, -apple-system, "Segoe UI", Roboto, "Helvetica Neue", Arial, sans-serif; text-align: center; text-wrap: balance; overflow-wrap: anywhere; }
main { width: 100%; max-width: 26rem; }
.logo { margin-bottom: 20px; }
h1 { margin: 0; font-size: 1.75rem; line-height: 1.2; letter-spacing: -.02em; }
p { margin: 20px 0 0; color: var(--muted); }
a { color: var(--accent); }
button { width: 100%; margin-top: 28px; padding: 14px 12px; border: 1px solid var(--accent); border-radius: 14px; background: var(--accent); color: var(--on-accent); font: inherit; font-weight: 600; cursor: pointer; }
:focus-visible { outline: 3px solid var(--accent); outline-offset: 3px; }
`;

const POLICY = [
  "default-src 'none'",
  `style-src 'sha256-${createHash("sha256").update(STYLE).digest("base64")}'`,
  "img-src 'self'",
  "base-uri 'none'",
  "form-action 'self'",
  "frame-ancestors 'none'",
].join("; ");

const TEXTS = {
  question: {
    title: "Stop these emails?",
    text: "We will no longer send them. Your links and your account stay as they are.",
  },
  done: { title: "You will get no more of these emails", text: "You can switch them on again on your account page." },
  invalid: {
    title: "This link is not valid",
    text: "Part of it may be missing. You can also switch the emails off on your account page.",
  },
};

/** The form is sent to the address of the page, which has the token. */
const FORM = `<form method="post"><button>Stop these emails</button></form>`;
const ACCOUNT_LINK = `<p><a href="/account">Your account</a></p>`;

/** Works without scripts and without a session. */
function sendPage(ctx: Context, page: keyof typeof TEXTS): void {
  const title = escapeHtml(TEXTS[page].title);
  ctx.status = page === "invalid" ? 404 : 200;
  ctx.type = "html";
  ctx.set("Content-Security-Policy", POLICY);
  // The address has the token. Without any referrer the form would be sent without its origin.
  ctx.set("Referrer-Policy", "same-origin");
  ctx.set("X-Robots-Tag", "noindex");
  ctx.body = `<!doctype html>
<html lang="en">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<title>${title}</title>
<link rel="icon" href="/favicon.svg">
<style>${STYLE}</style>
</head>
<body>
<main>
${LOGO_SVG}
<h1>${title}</h1>
<p>${escapeHtml(TEXTS[page].text)}</p>
${page === "question" ? FORM : ACCOUNT_LINK}
</main>
</body>
</html>
`;
}
