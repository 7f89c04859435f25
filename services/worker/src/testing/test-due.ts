import { type DueKind, workOff } from "../due.ts";
import { KINDS } from "../registry.ts";
import { NEVER } from "./test-database.ts";

export function workNow<App extends Parameters<typeof workOff>[0]>(
  app: App,
  kind: DueKind<App, unknown>,
  signal = NEVER,
): Promise<void> {
  const [name = "test"] = Object.entries(KINDS).find(([, known]: [string, unknown]) => known === kind) ?? [];
  return workOff(app, name, kind, signal);
}
