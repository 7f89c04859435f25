import { setTimeout as sleep } from "node:timers/promises";
import { median } from "../median.ts";
import { cpuSeconds } from "./cpu-time.ts";
import { type VisitFigures, type Visits, visit } from "./visits.ts";

const ROUNDS = 15;
const ROUND_SECONDS = 1;
/** After this time no further round starts, so that the benchmark ends in minutes on a busy machine too. */
const ROUNDS_MAX_MS = 35_000;
/** Before the first round, so that the code is compiled and the links are cached. */
const WARM_UP_SECONDS = 3;
/** The service sends the clicks of a round within this time after it. */
const SETTLE_MS = 1_000;

/** A server to visit, and the process groups that respond. */
export interface Server {
  /** A link's code follows. */
  linksUrl: string;
  processGroups: readonly number[];
}

/** The result of visiting a server and its peer in alternation. */
export interface Comparison {
  /** Figures of the round with the median rate. */
  figures: VisitFigures;
  /** CPU time of a request in microseconds, median of the rounds. */
  cpuMicros: number;
  /** Ratios of the rates of server and peer, for each round; empty without a peer. */
  rateRatios: number[];
  /** Ratios of the CPU times of a request of peer and server, so that a higher one is better. */
  cpuRatios: number[];
}

interface Round {
  figures: VisitFigures;
  cpuMicros: number;
}

/**
 * Visits the peer and the server in alternation, so that other load on the machine affects both. If they are the same, what a
 * round leaves to do is done before the next one.
 */
export async function compare(
  server: Server,
  peer: Server | null,
  visits: Visits,
  peerVisits: Visits = { ...visits, agent: "desktop" },
): Promise<Comparison> {
  await visit(server.linksUrl, visits, WARM_UP_SECONDS);
  if (peer !== null) await visit(peer.linksUrl, peerVisits, WARM_UP_SECONDS);
  const settleMs = server === peer ? SETTLE_MS : 0;
  const rounds: { own: Round; other: Round | null }[] = [];
  const end = performance.now() + ROUNDS_MAX_MS;
  while (rounds.length < ROUNDS && performance.now() < end) {
    const other = peer && (await measureRound(peer, peerVisits, settleMs));
    rounds.push({ own: await measureRound(server, visits, settleMs), other });
  }
  const byRate = rounds.map(({ own }) => own.figures).toSorted((a, b) => a.perSecond - b.perSecond);
  const ratios = (ratio: (own: Round, other: Round) => number) =>
    rounds.flatMap(({ own, other }) => (other === null ? [] : ratio(own, other)));
  return {
    figures: byRate[Math.floor(rounds.length / 2)] as VisitFigures,
    cpuMicros: median(rounds.map(({ own }) => own.cpuMicros)),
    rateRatios: ratios((own, other) => own.figures.perSecond / other.figures.perSecond),
    cpuRatios: ratios((own, other) => other.cpuMicros / own.cpuMicros),
  };
}

/** CPU time of a desktop's visit in microseconds. */
export async function medianCpuMicros(server: Server): Promise<number> {
  await visit(server.linksUrl, {}, WARM_UP_SECONDS);
  const rounds: number[] = [];
  while (rounds.length < 3) rounds.push((await measureRound(server, {}, 0)).cpuMicros);
  return median(rounds);
}

async function measureRound(server: Server, visits: Visits, settleMs: number): Promise<Round> {
  const before = cpuSeconds(server.processGroups);
  const figures = await visit(server.linksUrl, visits, ROUND_SECONDS);
  await sleep(settleMs);
  const cpu = cpuSeconds(server.processGroups) - before;
  return { figures, cpuMicros: (cpu * 1e6) / figures.responses };
}
