import { BROWSER } from "@tapthru/proto/rules/agents/agent";
import { type AppOpeningTable, chooseStrategy } from "@tapthru/proto/rules/app-opening/app-opening";
import { LOCALE } from "../../../lib/locale-formats.ts";
import { APP_NAMES, DEVICE_NAMES } from "../../../lib/names.ts";

const LIST = new Intl.ListFormat(LOCALE);

const SYSTEMS = ["ios", "android"] as const;

/** The apps in which most affiliate links are shared. The sentence names those that need a tap. */
const EXAMPLE_APPS = ["instagram", "tiktok", "facebook"];

/** Says in one sentence where a short link opens the Amazon app, and where that needs a tap. */
export function openingSummary(table: AppOpeningTable): string {
  const needsTap = (device: (typeof SYSTEMS)[number], app: string) =>
    chooseStrategy(table, { device, app, appVersion: null })?.mode !== "auto";

  const tapSystems = SYSTEMS.filter((system) => needsTap(system, BROWSER));
  if (tapSystems.length > 0) {
    return `Opens the Amazon app on iPhone and Android; on ${LIST.format(tapSystems.map((system) => DEVICE_NAMES[system]))} one tap is needed.`;
  }

  const needsTapEverywhere = (app: string) => SYSTEMS.every((system) => needsTap(system, app));
  const examples = [
    { place: "", apps: EXAMPLE_APPS.filter(needsTapEverywhere) },
    ...SYSTEMS.map((system) => ({
      place: `on ${DEVICE_NAMES[system]} `,
      apps: EXAMPLE_APPS.filter((app) => needsTap(system, app) && !needsTapEverywhere(app)),
    })),
  ].flatMap(({ place, apps }) =>
    apps.length === 0 ? [] : `${place}in ${LIST.format(apps.map((app) => APP_NAMES[app] ?? app))}`,
  );
  return examples.length === 0
    ? "Opens the Amazon app on iPhone and Android."
    : `Opens the Amazon app on iPhone and Android; in some apps one tap is needed, for example ${examples.join(", and ")}.`;
}
