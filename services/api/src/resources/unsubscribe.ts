import { createHash } from "node:crypto";
import { parse } from "node:querystring";
import type { Router } from "@koa/router";
import { changed } from "@tapthru/core/events";
import { actAs } from "@tapthru/core/platform/actor";
import { SMALL_PAGE_STYLE, smallPageHtml } from "@tapthru/proto/rules/pages/small-page";
import { UNSUBSCRIBE_PATH, UnsubscribeQuery } from "@tapthru/proto/unsubscribe";
import type { Context } from "koa";
import { sql } from "slonik";
import * as z from "zod/mini";
import type { Api } from "../api.ts";
import { requestActor } from "../callers/request-actor.ts";
import { changeWebhook } from "./webhook-queries.ts";

export function unsubscribeRoutes(router: Router, { db, publicAccess, config: { PRODUCT_NAME: productName } }: Api) {
  // Programs that look at links in emails open them, so that only the button unsubscribes.
  router.get(UNSUBSCRIBE_PATH, async (ctx: Context) => {
    await publicAccess(ctx);
    sendPage(ctx, productName, tokenOf(ctx) === null ? "invalid" : "question");
  });

  router.post(UNSUBSCRIBE_PATH, async (ctx: Context) => {
    await publicAccess(ctx);
    const token = tokenOf(ctx);
    const unsubscribe = () =>
      db.transaction(async (transaction) => {
        const { rowCount } = await transaction.query(sql.type(z.object({}))`
          WITH ${changed("account.changed", sql.fragment`weekly_email_token = ${token}`)`weekly_email = 'off'`}
          SELECT FROM object
        `);
        const isAlert = sql.fragment`unsubscribe_token = ${token}`;
        const webhook = await changeWebhook(
          transaction,
          isAlert,
          sql.fragment`disabled_at = coalesce(disabled_at, now())`,
        );
        return rowCount > 0 || webhook !== null;
      });
    const user = token && (await actAs(requestActor(ctx, null), unsubscribe));
    sendPage(ctx, productName, user ? "done" : "invalid");
  });
}

function tokenOf(ctx: Context): string | null {
  return z.safeParse(UnsubscribeQuery, parse(ctx.querystring)).data?.token ?? null;
}

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
const ACCOUNT_LINK = `<p><a href="/account/notifications">Your account</a></p>`;
const STYLE_HASH = createHash("sha256").update(SMALL_PAGE_STYLE).digest("base64");

/** Works without scripts and without a session. */
function sendPage(ctx: Context, productName: string, page: keyof typeof TEXTS): void {
  const { title, text } = TEXTS[page];
  ctx.status = page === "invalid" ? 404 : 200;
  ctx.type = "html";
  ctx.set(
    "Content-Security-Policy",
    `default-src 'none'; style-src 'sha256-${STYLE_HASH}'; img-src 'self'; base-uri 'none'; form-action 'self'; frame-ancestors 'none'`,
  );
  // The address has the token. Without any referrer the form would be sent without its origin.
  ctx.set("Referrer-Policy", "same-origin");
  ctx.body = smallPageHtml(title, productName, `<p>${text}</p>\n${page === "question" ? FORM : ACCOUNT_LINK}`);
}
