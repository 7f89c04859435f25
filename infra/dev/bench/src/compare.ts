import { spawn } from "node:child_process";
import { mkdtempSync, readdirSync, readFileSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { waitFor } from "@tapthru/stack/stack/wait-for";
import { execa } from "execa";
import getPort from "get-port";

const ROUNDS = 15;
const WARM_UP_SECONDS = 3;

export interface Server {
  origin: string;
  /** Of the process that responds. */
  pid: number;
}

export interface Load {
  server: Server;
  /** Arguments of wrk. */
  wrk: readonly string[];
}

interface Round {
  perSecond: number;
  cpuMicros: number;
  p99: string;
}

type StartPeer = (command: string, args: (port: number) => string[]) => Promise<Server>;

/** Ends the peers after `work`. */
export async function withPeers(work: (startPeer: StartPeer, folder: string) => Promise<void>): Promise<void> {
  const folder = mkdtempSync(join(tmpdir(), "tapthru-bench-"));
  const peers: ReturnType<typeof spawn>[] = [];
  const startPeer: StartPeer = async (command, args) => {
    const port = await getPort({ host: "127.0.0.1" });
    const peer = spawn(command, args(port), { stdio: ["ignore", "ignore", "inherit"] });
    peers.push(peer);
    const origin = `http://127.0.0.1:${port}`;
    const responds = () =>
      fetch(`${origin}/l/a`, { redirect: "manual" }).then(
        () => true,
        () => false,
      );
    if (!(await waitFor(responds, { within: 10_000 }))) throw new Error(`${command} did not start`);
    return { origin, pid: peer.pid ?? 0 };
  };
  try {
    await work(startPeer, folder);
  } finally {
    for (const peer of peers) peer.kill();
    rmSync(folder, { recursive: true });
  }
}

/**
 * Loads the server and its peer in alternating seconds, so that other load on the machine affects both, and prints the median
 * of each round's ratio; 1 is the speed of the peer, and higher is faster.
 */
export async function compare(label: string, own: Load, peer: Load): Promise<void> {
  for (const load of [own, peer]) await measure(load, WARM_UP_SECONDS);
  const rounds: [Round, Round][] = [];
  while (rounds.length < ROUNDS) rounds.push([await measure(own, 1), await measure(peer, 1)]);
  const ratio = (of: (own: Round, peer: Round) => number) => {
    const ratios = rounds.map(([own, peer]) => of(own, peer)).toSorted((a, b) => a - b);
    const [least, middle, most] = [0, ROUNDS >> 1, ROUNDS - 1].map((at) => ratios[at]?.toFixed(2));
    return `${middle} (${least} to ${most})`;
  };
  const middle = rounds.map(([own]) => own).toSorted((a, b) => a.perSecond - b.perSecond)[ROUNDS >> 1];
  console.log(
    `${label}: CPU time ${ratio((own, peer) => peer.cpuMicros / own.cpuMicros)}, rate ${ratio((own, peer) => own.perSecond / peer.perSecond)}, ` +
      `${middle?.cpuMicros.toFixed(1)} µs, ${middle?.perSecond.toFixed(0)} per second, p99 ${middle?.p99}`,
  );
}

async function measure({ server, wrk }: Load, seconds: number): Promise<Round> {
  const before = cpuMicros(server.pid);
  const { stdout } = await execa("wrk", ["-t", "1", "-d", String(seconds), "--latency", ...wrk]);
  const cpu = cpuMicros(server.pid) - before;
  const [, responses = ""] = /(\d+) requests in/.exec(stdout) ?? [];
  const [, perSecond = ""] = /Requests\/sec:\s+([\d.]+)/.exec(stdout) ?? [];
  const [, p99 = ""] = /99%\s+(\S+)/.exec(stdout) ?? [];
  const [failed] = /Non-2xx or 3xx responses: \d+/.exec(stdout) ?? [];
  if (failed !== undefined) throw new Error(`${server.origin}: ${failed}`);
  return { perSecond: Number(perSecond), cpuMicros: cpu / Number(responses), p99 };
}

/** CPU time of a process and its threads, in microseconds. Linux counts it in nanoseconds. */
function cpuMicros(pid: number): number {
  return readdirSync(`/proc/${pid}/task`).reduce((sum, task) => {
    const [onCore] = readFileSync(`/proc/${pid}/task/${task}/schedstat`, "utf8").split(" ");
    return sum + Number(onCore) / 1_000;
  }, 0);
}
