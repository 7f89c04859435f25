import { setTimeout as delay } from "node:timers/promises";
import type { Component } from "./lifecycle.ts";

export interface Readiness extends Component {
  /** Null when traffic may come, else the reason in a short sentence. */
  whyNotReady(): string | null;
}

export interface ReadinessOptions {
  /** What the service itself waits for; null when nothing. */
  whyNotReady?: () => string | null;
  /** How long those who ask have to notice, before the listeners close. */
  noticeMs?: number;
}

/** Goes last into the list of parts: ready when all others run, and the first to be taken back. */
export function createReadiness(options: ReadinessOptions = {}): Readiness {
  const { whyNotReady = () => null, noticeMs = 0 } = options;
  let phase: "starting" | "running" | "stopping" = "starting";
  return {
    name: "readiness",
    async start() {
      phase = "running";
    },
    async stop() {
      phase = "stopping";
      await delay(noticeMs);
    },
    whyNotReady: () => (phase === "running" ? whyNotReady() : phase),
  };
}
