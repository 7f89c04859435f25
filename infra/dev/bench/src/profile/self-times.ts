/** A profile of V8, as the inspector's `Profiler.stop` returns it. */
export interface CpuProfile {
  nodes: {
    id: number;
    callFrame: { functionName: string; url: string; lineNumber: number };
  }[];
  /** Ids of the nodes at the top of the stack. */
  samples: number[];
  /** Microseconds since the sample before. */
  timeDeltas: number[];
}

/** The time spent in each function itself, in microseconds, by a name such as "respond (routes.ts)". */
export function selfTimes({ nodes, samples, timeDeltas }: CpuProfile): Map<string, number> {
  const names = new Map(nodes.map(({ id, callFrame }) => [id, nameOf(callFrame)]));
  const times = new Map<string, number>();
  for (const [index, node] of samples.entries()) {
    const name = names.get(node) ?? "";
    times.set(name, (times.get(name) ?? 0) + (timeDeltas[index] ?? 0));
  }
  return times;
}

function nameOf({ functionName, url }: CpuProfile["nodes"][number]["callFrame"]): string {
  const file = url.slice(url.lastIndexOf("/") + 1);
  const name = functionName === "" ? "anonymous" : functionName;
  return file === "" ? name : `${name} (${file})`;
}

/** Microseconds per request of a function in the service and in the bare server. */
export interface FunctionTime {
  name: string;
  service: number;
  bare: number;
}

/** The functions in which the two servers differ most, in order. Time in which nothing ran is left out. */
export function largestDifferences(
  service: ReadonlyMap<string, number>,
  bare: ReadonlyMap<string, number>,
  count: number,
): FunctionTime[] {
  const names = new Set([...service.keys(), ...bare.keys()]);
  names.delete("(idle)");
  return [...names]
    .map((name) => ({ name, service: service.get(name) ?? 0, bare: bare.get(name) ?? 0 }))
    .toSorted((a, b) => Math.abs(b.service - b.bare) - Math.abs(a.service - a.bare))
    .slice(0, count);
}
