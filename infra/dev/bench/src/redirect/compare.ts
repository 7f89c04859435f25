import { type VisitFigures, type Visits, visit } from "./visits.ts";

const ROUNDS = 3;
const SECONDS = 4;

/** The result of visiting a server and its peer alternately. */
export interface Comparison {
  /** Figures of the round with the median rate. */
  figures: VisitFigures;
  /** Ratio of the rates of server and peer per round; empty without a peer. */
  ratios: number[];
}

/** Visits the peer and the server alternately, so that other load on the machine affects both. */
export async function compare(
  origin: string,
  peer: string | null,
  visits: Visits,
): Promise<Comparison> {
  const rounds: { figures: VisitFigures; ratio: number | null }[] = [];
  for (let round = 0; round < ROUNDS; round++) {
    const peerFigures =
      peer === null ? null : await visit(peer, { ...visits, agent: "desktop" }, SECONDS);
    const figures = await visit(origin, visits, SECONDS);
    rounds.push({ figures, ratio: peerFigures && figures.perSecond / peerFigures.perSecond });
  }
  const byRate = rounds.map(({ figures }) => figures).sort((a, b) => a.perSecond - b.perSecond);
  return {
    figures: byRate[Math.floor(ROUNDS / 2)] as VisitFigures,
    ratios: rounds.flatMap(({ ratio }) => ratio ?? []),
  };
}
