import { outcomePath, outcomeStrategy } from "@tapthru/proto/redirect/outcome";
import type { Language } from "@tapthru/proto/rules/messages/pages/languages";
import type { FastifyReply } from "fastify";
import type { AppPage, Decision } from "./choose-destination.ts";
import type { OutcomeProofs } from "./outcome/outcome-proofs.ts";
import { chooseLanguage } from "./pages/choose-language.ts";
import { INTERSTITIAL_POLICY, interstitial } from "./pages/interstitial.ts";
import { type Card, PREVIEW_CARD_POLICY, previewCard } from "./pages/preview-card.ts";
import { createSmallPages, SMALL_PAGE_POLICY, type SmallPages } from "./pages/small-pages.ts";

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

export interface RepliesDependencies {
  site: Site;
  proofs: Pick<OutcomeProofs, "create">;
}

interface RequestedLink {
  shortCode: string;
  shortUrl: string;
}

/** Sends decisions as HTTP responses. For HEAD, Fastify omits the body. */
export interface Replies {
  send(reply: FastifyReply, link: RequestedLink, decision: Decision): FastifyReply;
  /** For crawlers. `pageUrl` is the card's own address. */
  sendCard(reply: FastifyReply, card: Card, pageUrl: string): FastifyReply;
  /** For requests that Fastify rejects or whose handler failed. */
  sendError(reply: FastifyReply, status: number): FastifyReply;
}

export function createReplies({ site, proofs }: RepliesDependencies): Replies {
  const { publicBaseUrl, productName } = site;
  const smallPages = createSmallPages({ productName, homeUrl: `${publicBaseUrl}/` });

  function sendPage(reply: FastifyReply, status: number, policy: string, html: string) {
    return reply
      .code(status)
      .headers(COMMON_HEADERS)
      .header("content-security-policy", policy)
      .type("text/html; charset=utf-8")
      .send(html);
  }

  function sendCard(reply: FastifyReply, card: Card, pageUrl: string) {
    return sendPage(reply, 200, PREVIEW_CARD_POLICY, previewCard(card, { pageUrl, productName }));
  }

  function languageOf({ request }: FastifyReply): Language {
    return chooseLanguage(request.headers["accept-language"]);
  }

  function smallPagesFor(reply: FastifyReply): SmallPages {
    return smallPages[languageOf(reply)];
  }

  function outcomeReport({ strategy, tableVersion }: AppPage, shortCode: string) {
    const strategyName = outcomeStrategy(tableVersion, strategy.id);
    return {
      path: outcomePath(shortCode),
      strategy: strategyName,
      proof: proofs.create(shortCode, strategyName, Date.now()),
    };
  }

  return {
    send(reply, { shortCode, shortUrl }, decision) {
      switch (decision.kind) {
        case "redirect":
          return reply
            .code(302)
            .headers(COMMON_HEADERS)
            .header("location", decision.location)
            .send();
        case "app-page": {
          const { page, title } = decision;
          const report = outcomeReport(page, shortCode);
          const context = { shortCode, report, language: languageOf(reply), title };
          const html = interstitial(page, context);
          return sendPage(reply, 200, INTERSTITIAL_POLICY, html);
        }
        case "card":
          return sendCard(reply, decision.link, shortUrl);
        case "not-found":
          return sendPage(reply, 404, SMALL_PAGE_POLICY, smallPagesFor(reply).notFound);
        case "gone":
          return sendPage(reply, 410, SMALL_PAGE_POLICY, smallPagesFor(reply).gone);
        case "limited":
          reply.header("retry-after", Math.ceil(decision.retryAfterMs / 1_000));
          return sendPage(reply, 429, SMALL_PAGE_POLICY, smallPagesFor(reply).limited);
        case "unavailable":
          reply.header("retry-after", RETRY_AFTER_SECONDS);
          return sendPage(reply, 503, SMALL_PAGE_POLICY, smallPagesFor(reply).unavailable);
      }
    },
    sendCard,
    sendError(reply, status) {
      const { notFound, unavailable } = smallPagesFor(reply);
      const html = status < 500 ? notFound : unavailable;
      return sendPage(reply, status, SMALL_PAGE_POLICY, html);
    },
  };
}
