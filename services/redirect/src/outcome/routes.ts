import type { HttpMetrics } from "@tapthru/core/platform/http/http-metrics";
import { parseJson } from "@tapthru/core/platform/parse-json";
import { Outcome, outcomePath, outcomeStrategy, ROOT_OUTCOME_NAME } from "@tapthru/proto/redirect/outcome";
import { DOMAIN_PATH_PREFIX } from "@tapthru/proto/rules/limits";
import { shortCodeOf } from "@tapthru/proto/rules/short-code";
import type { FastifyInstance, FastifyReply, FastifyRequest } from "fastify";
import type { ClickCounter } from "../clicks/click-counter.ts";
import type { Client, ClientParser } from "../visitor/visitor.ts";
import { pageIdOf } from "./outcome-proofs.ts";
import type { Outcomes } from "./outcomes.ts";

const OUTCOME_MAX_BYTES = 256;

export interface OutcomeDependencies extends Outcomes {
  parseClient: ClientParser;
  httpMetrics: HttpMetrics;
  clicks: Pick<ClickCounter, "countOutcome">;
}

const OUTCOME_ROUTE = outcomePath(":code");
const DOMAIN_OUTCOME_ROUTE = `${DOMAIN_PATH_PREFIX}:host/:name/outcome`;

/** POST /l/{code}/outcome and /d/{host}/{name}/outcome: the page's beacon. The response is always 204. */
export function registerOutcomeRoute(app: FastifyInstance, deps: OutcomeDependencies): void {
  const observe = deps.httpMetrics.ofRoute(OUTCOME_ROUTE);

  function acknowledge(reply: FastifyReply): FastifyReply {
    reply.code(204).header("cache-control", "no-store").send();
    // `startedAt` is 0 if Fastify rejected the request before the handler.
    observe("POST", 204, reply.request.startedAt || performance.now());
    return reply;
  }

  function count(request: FastifyRequest, reply: FastifyReply, code: string): FastifyReply {
    request.startedAt = performance.now();
    if (deps.isWithinLimit(request.ip)) {
      countOutcome(deps, {
        shortCode: code.toLowerCase(),
        body: request.body,
        client: deps.parseClient(request.headers["user-agent"] ?? ""),
        address: request.ip,
        now: Date.now(),
      });
    }
    return acknowledge(reply);
  }

  app.register(async (scope) => {
    scope.removeAllContentTypeParsers();
    scope.addContentTypeParser("*", { parseAs: "string" }, (_request, body, done) => {
      done(null, body);
    });
    scope.setErrorHandler((_error, _request, reply) => acknowledge(reply));

    const options = { bodyLimit: OUTCOME_MAX_BYTES };
    scope.post<{ Params: { code: string } }>(OUTCOME_ROUTE, options, (request, reply) =>
      count(request, reply, request.params.code),
    );
    scope.post<{ Params: { host: string; name: string } }>(DOMAIN_OUTCOME_ROUTE, options, (request, reply) => {
      const { host, name } = request.params;
      return count(request, reply, shortCodeOf(name === ROOT_OUTCOME_NAME ? "" : name, host));
    });
  });
}

interface Report {
  shortCode: string;
  /** The raw request body. */
  body: unknown;
  /** The client, by the User-Agent of the report. */
  client: Client;
  address: string;
  /** Unix milliseconds. */
  now: number;
}

interface CountDependencies extends Pick<Outcomes, "proofs" | "metrics" | "limits"> {
  clicks: Pick<ClickCounter, "countOutcome">;
}

/**
 * Counts the outcome that an app-opening page reports. Ignores invalid and repeated reports, and those whose strategy is not
 * the current one for the reporting app and system.
 */
function countOutcome(
  { proofs, metrics, limits, clicks }: CountDependencies,
  { shortCode, body, client, address, now }: Report,
): void {
  const { data } = Outcome.safeParse(typeof body === "string" ? parseJson(body) : null);
  if (data === undefined || client.opening === null) return;
  const { strategy, tableVersion } = client.opening;
  const isTapOnly = data.row.endsWith("/tap");
  if (data.row !== outcomeStrategy(tableVersion, strategy.id, isTapOnly)) return;
  if (!proofs.verify(data.proof, shortCode, data.row, now)) return;
  if (!limits.takePage(pageIdOf(data.proof))) return;
  const { outcome } = data;
  // The page of a link that opens after a tap only may differ from what the strategy says.
  const isRated = !isTapOnly && limits.admit(address, data.row);
  if (isRated) metrics.count(tableVersion, strategy, outcome);
  clicks.countOutcome(shortCode, outcome, isRated ? strategy : null);
}
