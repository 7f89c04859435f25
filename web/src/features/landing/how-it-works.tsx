import { messages } from "@tapthru/proto/rules/messages";
import { useId } from "react";
import { DemoVideo } from "./demo-video.tsx";
import { OpenRates } from "./open-rates.tsx";

export function HowItWorks() {
  const id = useId();
  return (
    <section aria-labelledby={id} className="mt-12 lg:mt-8">
      <h2 id={id} className="text-center text-2xl font-semibold tracking-tight md:text-start">
        {messages.howItWorks}
      </h2>
      <div className="mt-5 grid items-center gap-x-8 gap-y-8 md:grid-cols-[5fr_6fr] lg:gap-x-12">
        <DemoVideo />
        <div className="flex flex-col gap-6">
          <ol className="flex flex-col gap-4">
            {messages.howToSteps.map(([title, text], index) => (
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
