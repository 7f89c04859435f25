import { BROWSER, OTHER_WEB_VIEW } from "@tapthru/proto/rules/agents/agent";
import {
  type AppOpeningStrategy,
  type AppOpeningTable,
  chooseStrategy,
} from "@tapthru/proto/rules/app-opening";

export type System = AppOpeningStrategy["os"];

/** Where a short link may be tapped on a phone. */
export interface OpeningPlace {
  app: string;
  /** How the link's page opens there. */
  row: AppOpeningStrategy;
  /** Whether the page tries the app by itself. */
  isAutomatic: boolean;
  /** The app's browser does not say which app it is. */
  isUnnamed: boolean;
}

/** Every place that the strategy table knows of, browsers first. */
export function openingPlaces(system: System, table: AppOpeningTable): OpeningPlace[] {
  const apps = [BROWSER, ...table.apps.map(({ id }) => id), OTHER_WEB_VIEW];
  return apps.flatMap((app) => {
    const isUnnamed = isUnnamedOn(system, app, table);
    const agent = { device: system, app: isUnnamed ? BROWSER : app, appVersion: null };
    const row = chooseStrategy(table, agent);
    const rows = isUnnamed ? [row] : [row, ...rowsOfVersions(system, app, table)];
    return rows
      .filter((each) => each !== null)
      .map((each) => ({
        app,
        row: each,
        isAutomatic: each.mode === "auto" && !isTelegramOnIos(system, app),
        isUnnamed,
      }));
  });
}

function rowsOfVersions(
  system: System,
  app: string,
  { rows }: AppOpeningTable,
): AppOpeningStrategy[] {
  return rows.filter(
    (row) => row.os === system && row.app === app && (row.from ?? row.below) !== undefined,
  );
}

function isUnnamedOn(system: System, app: string, { apps }: AppOpeningTable): boolean {
  const markers = apps.find(({ id }) => id === app)?.markers;
  return markers?.length === 0 || isTelegramOnIos(system, app);
}

/** Its agent says Safari; only the page's script knows it, and waits for a tap. */
function isTelegramOnIos(system: System, app: string): boolean {
  return system === "ios" && app === "telegram";
}
