import { BROWSER } from "@tapthru/proto/rules/agents/agent";
import type { AppOpeningTable } from "@tapthru/proto/rules/app-opening/app-opening";
import { messages } from "@tapthru/proto/rules/messages";
import { referringApps, type System } from "./openings.ts";

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
    return messages.opensAmazonAppOnTap(tapSystems.map((system) => messages.devices[system]));
  }

  const needsTapEverywhere = (app: string) => SYSTEMS.every((system) => needsTap(system, app));
  const examples = [
    messages.inApps(EXAMPLE_APPS.filter(needsTapEverywhere).map(appName)),
    ...SYSTEMS.map((system) => {
      const apps = EXAMPLE_APPS.filter((app) => needsTap(system, app) && !needsTapEverywhere(app));
      return messages.inAppsOn(messages.devices[system], apps.map(appName));
    }),
  ];
  return messages.opensAmazonApp(examples.filter((example) => example !== null));
}

function appName(app: string): string {
  return messages.appNames[app] ?? app;
}
