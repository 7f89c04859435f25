import { useId } from "react";
import { DemoVideo } from "./demo-video.tsx";
import { OpenRates } from "./open-rates.tsx";

const HOW_TO_STEPS = [
  ["Paste an Amazon link", "A product or your storefront, with your tag on it."],
  ["Copy your short link and share it", "In a post, a bio or a video description."],
  ["One tap opens the Amazon app", "Your tag comes along. Computers open Amazon's website."],
] as const;

export function HowItWorks() {
  const id = useId();
  return (
    <section aria-labelledby={id} className="mt-12 lg:mt-8">
      <h2 id={id} className="text-center text-2xl font-semibold tracking-tight md:text-start">
        How it works
      </h2>
      <div className="mt-5 grid items-center gap-x-8 gap-y-8 md:grid-cols-[5fr_6fr] lg:gap-x-12">
        <DemoVideo />
        <div className="flex flex-col gap-6">
          <ol className="flex flex-col gap-4">
            {HOW_TO_STEPS.map(([title, text], index) => (
              <li key={title} className="flex gap-4">
                <span
                  aria-hidden
                  className="grid size-8 shrink-0 place-items-center rounded-full bg-accent font-semibold text-on-accent"
                >
                  {index + 1}
                </span>
                <div className="min-w-0">
                  <h3 className="pt-1 font-semibold">{title}</h3>
                  <p className="mt-0.5 text-md leading-6 text-pretty text-muted">{text}</p>
                </div>
              </li>
            ))}
          </ol>
          <OpenRates />
        </div>
      </div>
    </section>
  );
}
