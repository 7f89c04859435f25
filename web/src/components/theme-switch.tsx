import { Monitor, Moon, Sun } from "lucide-react";
import { type ChangeEvent, useEffect, useSyncExternalStore } from "react";
import { writeText } from "../lib/stored-texts.ts";
import { Options, SelectField } from "./ui/select-field.tsx";

const ICONS = { light: Sun, dark: Moon, system: Monitor };
const OPTIONS = [
  ["light", "Light"],
  ["dark", "Dark"],
  ["system", "System"],
] as const;

export function ThemeSwitch() {
  const theme = useTheme();
  const CurrentIcon = ICONS[theme];
  useEffect(() => showThemeColor(theme), [theme]);
  return (
    <label className="relative grid size-10 place-items-center rounded-full border border-line bg-surface text-muted shadow-card outline-offset-2 outline-accent transition-colors hover:text-ink has-focus-visible:outline-2">
      <CurrentIcon aria-hidden className="size-4.5" />
      <select
        aria-label="Theme"
        value={theme}
        onChange={({ target }: ChangeEvent<HTMLSelectElement>) => setTheme(target.value)}
        className="absolute inset-0 cursor-pointer rounded-full bg-surface text-ink opacity-0"
      >
        <Options of={OPTIONS} />
      </select>
    </label>
  );
}

export function ThemeField() {
  return <SelectField label="Theme" options={OPTIONS} value={useTheme()} onChange={setTheme} />;
}

type Theme = (typeof OPTIONS)[number][0];

/** The script in index.html reads it too, to set the theme before the first paint. */
const STORAGE_KEY = "theme";

function currentTheme(): Theme {
  const { theme } = document.documentElement.dataset;
  return OPTIONS.find(([value]) => value === theme)?.[0] ?? "system";
}

function setTheme(theme: string): void {
  document.documentElement.dataset.theme = theme;
  writeText(STORAGE_KEY, theme);
}

/** The color of the browser's bar: index.html has one for each theme of the system, and the chosen theme overrules the system. */
function showThemeColor(theme: Theme): void {
  for (const meta of document.querySelectorAll<HTMLMetaElement>("meta[name=theme-color]")) {
    const own = meta.dataset.theme;
    if (theme === "system") meta.media = `(prefers-color-scheme: ${own})`;
    else meta.media = own === theme ? "all" : "not all";
  }
}

function subscribe(onChange: () => void): () => void {
  const observer = new MutationObserver(onChange);
  observer.observe(document.documentElement, { attributeFilter: ["data-theme"] });
  return () => observer.disconnect();
}

function useTheme(): Theme {
  return useSyncExternalStore(subscribe, currentTheme, (): Theme => "system");
}
