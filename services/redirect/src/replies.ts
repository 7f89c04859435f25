import { SHORT_LINK_PATH_PREFIX } from "@tapthru/proto/rules/limits";
import type { FastifyReply } from "fastify";
import type { Reply } from "./choose-destination.ts";
import { INTERSTITIAL_POLICY, interstitial } from "./interstitial.ts";
import { PREVIEW_CARD_POLICY, previewCard } from "./preview-card.ts";
import { createSmallPages, SMALL_PAGE_POLICY } from "./small-pages.ts";

export interface Site {
  publicBaseUrl: string;
  productName: string;
}

const COMMON_HEADERS = {
  "cache-control": "no-store",
  "referrer-policy": "strict-origin-when-cross-origin",
  "x-content-type-options": "nosniff",
  "x-robots-tag": "noindex",
};
const RETRY_AFTER_SECONDS = 2;

/** Carries decisions out as HTTP answers; Fastify leaves the body out of answers to HEAD. */
export interface Replies {
  send(reply: FastifyReply, shortCode: string, answer: Reply): FastifyReply;
  /** For requests that Fastify itself refuses, and for those that failed. */
  sendError(reply: FastifyReply, status: number): FastifyReply;
}

export function createReplies({ publicBaseUrl, productName }: Site): Replies {
  const pages = createSmallPages({ productName, homeUrl: `${publicBaseUrl}/` });

  function sendPage(reply: FastifyReply, status: number, policy: string, html: string) {
    return reply
      .code(status)
      .headers(COMMON_HEADERS)
      .header("content-security-policy", policy)
      .type("text/html; charset=utf-8")
      .send(html);
  }

  return {
    send(reply, shortCode, answer) {
      switch (answer.kind) {
        case "redirect":
          return reply.code(302).headers(COMMON_HEADERS).header("location", answer.location).send();
        case "app-page":
          return sendPage(reply, 200, INTERSTITIAL_POLICY, interstitial(answer.page));
        case "card": {
          const site = {
            shortUrl: `${publicBaseUrl}${SHORT_LINK_PATH_PREFIX}${shortCode}`,
            productName,
          };
          return sendPage(reply, 200, PREVIEW_CARD_POLICY, previewCard(answer.link, site));
        }
        case "not-found":
          return sendPage(reply, 404, SMALL_PAGE_POLICY, pages.notFound);
        case "gone":
          return sendPage(reply, 410, SMALL_PAGE_POLICY, pages.gone);
        case "limited":
          reply.header("retry-after", Math.ceil(answer.retryAfterMs / 1_000));
          return sendPage(reply, 429, SMALL_PAGE_POLICY, pages.limited);
        case "unavailable":
          reply.header("retry-after", RETRY_AFTER_SECONDS);
          return sendPage(reply, 503, SMALL_PAGE_POLICY, pages.unavailable);
      }
    },
    sendError(reply, status) {
      const html = status < 500 ? pages.notFound : pages.unavailable;
      return sendPage(reply, status, SMALL_PAGE_POLICY, html);
    },
  };
}
