import type { ServerResponse } from "node:http";
import { outcomePath, outcomeStrategy } from "@tapthru/proto/redirect/outcome";
import { appendVisitorQuery } from "@tapthru/proto/rules/amazon/visitor-query";
import type { Language } from "@tapthru/proto/rules/pages/languages";
import { abuseReportPath } from "@tapthru/proto/rules/paths";
import { splitShortCode } from "@tapthru/proto/rules/short-code";
import { shortUrl } from "@tapthru/proto/rules/short-url";
import { LRUCache } from "lru-cache";
import { type AppPageVisit, appPageFor, type Decision } from "../choose-destination.ts";
import type { LiveLink } from "../link.ts";
import { type OutcomeProofs, PROOF_PLACEHOLDER } from "../outcome/outcome-proofs.ts";
import { chooseLanguage } from "../pages/choose-language.ts";
import { interstitial, interstitialPolicy } from "../pages/interstitial.ts";
import { type Card, PREVIEW_CARD_POLICY, previewCard } from "../pages/preview-card.ts";
import { createSmallPages, SMALL_PAGE_POLICY, type SmallPages } from "../pages/small-pages.ts";
import type { VisitRequest } from "../visitor/visitor.ts";
import { htmlPage, type PreparedResponse, redirectTo, sendPrepared } from "./prepared-response.ts";

export interface Site {
  publicBaseUrl: string;
  productName: string;
}

const RETRY_AFTER_SECONDS = 2;
/** With their headers some 8 KB each. */
const MAX_RENDERED_PAGES = 500;

/** A page that is opened often is rendered once, for the link as it is in memory. */
interface RenderedPage {
  link: LiveLink;
  response: PreparedResponse;
}

export interface RepliesDependencies {
  site: Site;
  proofs: Pick<OutcomeProofs, "create">;
}

type CardDecision = Extract<Decision, { kind: "card" }>;

type RequestHeaders = Pick<VisitRequest, "headers">;

interface Reply {
  shortCode: string;
  decision: Decision;
}

export interface Replies {
  send(request: RequestHeaders, response: ServerResponse, reply: Reply): void;
  /** For crawlers. `pageUrl` is the card's own address. */
  sendCard(response: ServerResponse, card: Card, pageUrl: string): void;
  /** For requests that Fastify rejects or whose handler failed. */
  sendError(request: RequestHeaders, response: ServerResponse, status: number): void;
}

export function createReplies({ site, proofs }: RepliesDependencies): Replies {
  const { publicBaseUrl, productName } = site;
  const smallPages = createSmallPages({ productName, homeUrl: `${publicBaseUrl}/` });
  const pages = new LRUCache<string, RenderedPage>({ max: MAX_RENDERED_PAGES });

  /** @param key what the page depends on besides the link, with its short code */
  function pageOf(link: LiveLink, key: string, render: () => PreparedResponse): PreparedResponse {
    const known = pages.get(key);
    if (known?.link === link) return known.response;
    const response = render();
    pages.set(key, { link, response });
    return response;
  }

  function languageOf({ headers }: RequestHeaders): Language {
    return chooseLanguage(headers["accept-language"]);
  }

  function smallPage(
    request: RequestHeaders,
    status: number,
    name: keyof SmallPages,
    retryAfterSeconds?: number,
  ): PreparedResponse {
    const html = smallPages[languageOf(request)][name];
    const headers = retryAfterSeconds === undefined ? [] : ["retry-after", String(retryAfterSeconds)];
    return htmlPage(status, SMALL_PAGE_POLICY, html, headers);
  }

  function renderCard(card: Card, pageUrl: string): PreparedResponse {
    return htmlPage(200, PREVIEW_CARD_POLICY, previewCard(card, { pageUrl, siteUrl: publicBaseUrl, productName }));
  }

  /** A query makes a crawler read the card again: it takes the page at `og:url` for the same one. */
  function cardOf({ link, fallbackUrl, query }: CardDecision, shortCode: string): PreparedResponse {
    const pageUrl = appendVisitorQuery(shortUrl(publicBaseUrl, shortCode), query);
    const render = () => renderCard({ ...link, webUrl: fallbackUrl ?? link.webUrl }, pageUrl);
    if (query !== "") return render();
    return pageOf(link, `${shortCode} card ${fallbackUrl ?? ""}`, render);
  }

  function appPageOf(visit: AppPageVisit, shortCode: string, language: Language): PreparedResponse {
    const { link, route, opening, isAutomatic } = visit;
    const strategy = outcomeStrategy(opening.tableVersion, opening.strategy.id, link.opening === "tap");
    const render = () => {
      const report = { path: outcomePath(shortCode), strategy, proof: PROOF_PLACEHOLDER };
      const reportPath = abuseReportPath(shortCode);
      const { host } = splitShortCode(shortCode);
      // The host of an own domain has only links.
      const reportUrl = host ? publicBaseUrl + reportPath : reportPath;
      const ofProduct = route?.kind !== "fallback";
      const title = ofProduct ? link.title : null;
      const imageUrl = ofProduct ? link.imageUrl : null;
      const { creatorName, showsDisclosure } = link;
      const context = { reportUrl, report, language, title, imageUrl, host, creatorName, showsDisclosure };
      const html = interstitial(appPageFor(visit, shortUrl(publicBaseUrl, shortCode)), context);
      return htmlPage(200, interstitialPolicy(imageUrl), html);
    };
    const proof = proofs.create(shortCode, strategy, Date.now());
    // Few visits have a query, and theirs are different.
    if (visit.query !== "") return withProof(render(), proof);
    const store = route ? `${route.kind} ${route.marketplace}` : "";
    const page = pageOf(link, `${shortCode} ${strategy} ${language} ${isAutomatic} ${store}`, render);
    return withProof(page, proof);
  }

  function responseTo(request: RequestHeaders, { shortCode, decision }: Reply): PreparedResponse {
    switch (decision.kind) {
      case "redirect":
        return redirectTo(decision.location);
      case "app-page":
        return appPageOf(decision, shortCode, languageOf(request));
      case "card":
        return cardOf(decision, shortCode);
      case "not-found":
        return smallPage(request, 404, "notFound");
      case "gone":
        return smallPage(request, 410, "gone");
      case "limited":
        return smallPage(request, 429, "limited", Math.ceil(decision.retryAfterMs / 1_000));
      case "unavailable":
        return smallPage(request, 503, "unavailable", RETRY_AFTER_SECONDS);
    }
  }

  return {
    send: (request, response, reply) => sendPrepared(response, responseTo(request, reply)),
    sendCard: (response, card, pageUrl) => sendPrepared(response, renderCard(card, pageUrl)),
    sendError(request, response, status) {
      sendPrepared(response, smallPage(request, status, status < 500 ? "notFound" : "unavailable"));
    },
  };
}

/** The page with its own proof. The placeholder comes before anything that a link or a visit adds to the page. */
function withProof({ status, headers, body }: PreparedResponse, proof: string): PreparedResponse {
  return { status, headers, body: body.replace(PROOF_PLACEHOLDER, proof) };
}
