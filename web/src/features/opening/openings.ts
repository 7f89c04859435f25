import { BROWSER, OTHER_WEB_VIEW } from "@tapthru/proto/rules/agents/agent";
import {
  type AppOpeningStrategy,
  type AppOpeningTable,
  chooseStrategy,
  isCanary,
} from "@tapthru/proto/rules/app-opening/app-opening";
import { APP_NAMES } from "../../lib/names.ts";

export type System = AppOpeningStrategy["os"];

/** An app on a phone in which a short link may be tapped. */
export interface ReferringApp {
  app: string;
  /** How the app-opening page behaves there. */
  strategy: AppOpeningStrategy;
  /** Whether the page opens the Amazon app without a tap. */
  isAutomatic: boolean;
  /** The app's user agent does not identify the app. */
  isUnidentified: boolean;
}

/** Every app in the strategy table. Browsers come first. */
export function referringApps(system: System, table: AppOpeningTable): ReferringApp[] {
  const apps = [BROWSER, ...table.apps.map(({ id }) => id), OTHER_WEB_VIEW];
  return apps.flatMap((app) => {
    const isUnidentified = isUnidentifiedOn(system, app, table);
    const agent = { device: system, app: isUnidentified ? BROWSER : app, appVersion: null };
    const strategy = chooseStrategy(table, agent);
    const strategies = isUnidentified ? [strategy] : [strategy, ...strategiesForVersions(system, app, table)];
    return strategies
      .filter((each) => each !== null)
      .map((each) => ({
        app,
        strategy: each,
        isAutomatic: each.mode === "auto" && !isTelegramOnIos(system, app),
        isUnidentified,
      }));
  });
}

function strategiesForVersions(
  system: System,
  app: string,
  { rows: strategies }: AppOpeningTable,
): AppOpeningStrategy[] {
  return strategies.filter(
    (strategy) =>
      strategy.os === system &&
      strategy.app === app &&
      (strategy.from ?? strategy.below) !== undefined &&
      !isCanary(strategy),
  );
}

function isUnidentifiedOn(system: System, app: string, { apps }: AppOpeningTable): boolean {
  const markers = apps.find(({ id }) => id === app)?.markers;
  return markers?.length === 0 || isTelegramOnIos(system, app);
}

/** Its user agent is Safari's. Only the page's script detects Telegram, and then waits for a tap. */
function isTelegramOnIos(system: System, app: string): boolean {
  return system === "ios" && app === "telegram";
}

/** The app's name, with its range of versions if any. An app unknown to this release is named by its id. */
export function appLabel({ app, strategy: { from, below }, isUnidentified }: ReferringApp): string {
  const name = APP_NAMES[app] ?? app;
  if (isUnidentified) return name;
  if (from !== undefined && below !== undefined) {
    return `${name}, from version ${from}, before ${below}`;
  }
  if (from !== undefined) return `${name}, from version ${from}`;
  return below === undefined ? name : `${name}, before version ${below}`;
}
