import { BROWSER } from "@tapthru/proto/rules/agents/agent";
import type { AppOpeningTable } from "@tapthru/proto/rules/app-opening/app-opening";
import { APP_NAMES, DEVICE_NAMES } from "../../lib/names.ts";
import { referringApps, type System } from "./openings.ts";

const inApps = (apps: readonly string[]) => (apps.length === 0 ? null : `in ${new Intl.ListFormat("en").format(apps)}`);

const inAppsOn = (system: string, apps: readonly string[]) =>
  apps.length === 0 ? null : `on ${system} in ${new Intl.ListFormat("en").format(apps)}`;

/** @param examples of apps in which a tap is needed */
const opensAmazonApp = (examples: readonly string[]) =>
  examples.length === 0
    ? "Opens the Amazon app on iPhone and Android."
    : `Opens the Amazon app on iPhone and Android; in some apps one tap is needed, for example ${examples.join(", and ")}.`;

const SYSTEMS = ["ios", "android"] as const;

/** The apps in which most affiliate links are shared. The sentence names those that need a tap. */
const EXAMPLE_APPS = ["instagram", "tiktok", "facebook"];

/** Says in one sentence where a short link opens the Amazon app, and where that needs a tap. */
export function openingSummary(table: AppOpeningTable): string {
  const places = { ios: referringApps("ios", table), android: referringApps("android", table) };
  const needsTap = (system: System, app: string) =>
    places[system].find((place) => place.app === app)?.isAutomatic !== true;

  const tapSystems = SYSTEMS.filter((system) => needsTap(system, BROWSER));
  if (tapSystems.length > 0) {
    return `Opens the Amazon app on iPhone and Android; on ${new Intl.ListFormat("en").format(tapSystems.map((system) => DEVICE_NAMES[system]))} one tap is needed.`;
  }

  const needsTapEverywhere = (app: string) => SYSTEMS.every((system) => needsTap(system, app));
  const examples = [
    inApps(EXAMPLE_APPS.filter(needsTapEverywhere).map(appName)),
    ...SYSTEMS.map((system) => {
      const apps = EXAMPLE_APPS.filter((app) => needsTap(system, app) && !needsTapEverywhere(app));
      return inAppsOn(DEVICE_NAMES[system], apps.map(appName));
    }),
  ];
  return opensAmazonApp(examples.filter((example) => example !== null));
}

function appName(app: string): string {
  return APP_NAMES[app] ?? app;
}
