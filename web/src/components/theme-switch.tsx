import { messages } from "@tapthru/proto/rules/messages";
import { Check, Monitor, Moon, Sun } from "lucide-react";
import { type ToggleEvent, useId } from "react";
import { THEMES, useTheme } from "../lib/theme.ts";

const ICONS = { light: Sun, dark: Moon, system: Monitor };
const LABELS = {
  light: messages.themeLight,
  dark: messages.themeDark,
  system: messages.themeSystem,
};

export function ThemeSwitch() {
  const [theme, setTheme] = useTheme();
  const id = useId();
  const CurrentIcon = ICONS[theme];

  return (
    <>
      <button
        type="button"
        popoverTarget={id}
        aria-label={messages.themeButton(LABELS[theme])}
        className="grid size-10 place-items-center rounded-full border border-line bg-surface text-muted shadow-card transition-colors hover:text-ink"
      >
        <CurrentIcon aria-hidden className="size-4.5" />
      </button>
      <div
        id={id}
        popover="auto"
        onToggle={focusChosen}
        className="fixed inset-auto top-18 right-3 m-0 w-44 rounded-2xl border border-line bg-surface p-1.5 text-ink shadow-card sm:right-6"
      >
        <fieldset>
          <legend className="sr-only">{messages.theme}</legend>
          {THEMES.map((choice) => {
            const Icon = ICONS[choice];
            return (
              <label
                key={choice}
                className="flex items-center gap-3 rounded-xl px-3 py-2.5 text-md outline-accent hover:bg-sunken has-focus-visible:outline-2"
              >
                <input
                  type="radio"
                  name={id}
                  value={choice}
                  checked={choice === theme}
                  onChange={() => setTheme(choice)}
                  className="peer sr-only"
                />
                <Icon aria-hidden className="size-4 text-muted" />
                <span className="flex-1">{LABELS[choice]}</span>
                <Check aria-hidden className="invisible size-4 text-accent peer-checked:visible" />
              </label>
            );
          })}
        </fieldset>
      </div>
    </>
  );
}

function focusChosen({ newState, currentTarget }: ToggleEvent<HTMLDivElement>) {
  if (newState === "open") currentTarget.querySelector<HTMLInputElement>(":checked")?.focus();
}
