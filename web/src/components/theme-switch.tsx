import { Check, Monitor, Moon, Sun } from "lucide-react";
import { type ToggleEvent, useId, useSyncExternalStore } from "react";

const ICONS = { light: Sun, dark: Moon, system: Monitor };
const LABELS = {
  light: "Light",
  dark: "Dark",
  system: "System",
};

/** A button that opens the choice of themes. */
export function ThemeSwitch() {
  const [theme] = useTheme();
  const id = useId();
  const CurrentIcon = ICONS[theme];

  return (
    <>
      <button
        type="button"
        popoverTarget={id}
        aria-label={`Theme: ${LABELS[theme]}`}
        className="grid size-10 place-items-center rounded-full border border-line bg-surface text-muted shadow-card transition-colors hover:text-ink"
      >
        <CurrentIcon aria-hidden className="size-4.5" />
      </button>
      <div
        id={id}
        popover="auto"
        onToggle={focusChosen}
        className="fixed inset-auto top-18 right-6 m-0 w-44 rounded-2xl border border-line bg-surface p-1.5 text-ink shadow-card"
      >
        <ThemeChoices />
      </div>
    </>
  );
}

/** The themes as radio buttons. */
export function ThemeChoices() {
  const [theme, setTheme] = useTheme();
  const name = useId();
  return (
    <fieldset className="min-w-0">
      <legend className="px-3 pt-1.5 pb-1 text-sm text-muted">Theme</legend>
      {THEMES.map((choice) => {
        const Icon = ICONS[choice];
        return (
          <label
            key={choice}
            className="flex items-center gap-2.5 rounded-xl px-3 py-2.5 text-md outline-accent hover:bg-sunken has-focus-visible:outline-2"
          >
            <input
              type="radio"
              name={name}
              value={choice}
              checked={choice === theme}
              onChange={() => setTheme(choice)}
              className="peer sr-only"
            />
            <Icon aria-hidden className="size-4 shrink-0 text-muted" />
            <span className="min-w-0 flex-1">{LABELS[choice]}</span>
            <Check aria-hidden className="invisible size-4 shrink-0 text-accent peer-checked:visible" />
          </label>
        );
      })}
    </fieldset>
  );
}

function focusChosen({ newState, currentTarget }: ToggleEvent<HTMLDivElement>) {
  if (newState === "open") currentTarget.querySelector<HTMLInputElement>(":checked")?.focus();
}

const THEMES = ["light", "dark", "system"] as const;
type Theme = (typeof THEMES)[number];

/** The script in index.html reads it too, to set the theme before the first paint. */
const STORAGE_KEY = "theme";

const listeners = new Set<() => void>();

function currentTheme(): Theme {
  const { theme } = document.documentElement.dataset;
  return THEMES.find((each) => each === theme) ?? "system";
}

function setTheme(theme: Theme): void {
  document.documentElement.dataset.theme = theme;
  try {
    localStorage.setItem(STORAGE_KEY, theme);
  } catch {
    // Storage may be forbidden. The choice then lasts until the page is closed.
  }
  for (const listener of listeners) listener();
}

function subscribe(listener: () => void): () => void {
  listeners.add(listener);
  return () => listeners.delete(listener);
}

function useTheme(): [Theme, (theme: Theme) => void] {
  return [useSyncExternalStore(subscribe, currentTheme, (): Theme => "system"), setTheme];
}
