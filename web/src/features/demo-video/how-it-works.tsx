import { messages } from "@tapthru/proto/rules/messages";
import { lazy, type ReactNode, Suspense, useId } from "react";

/** Left out if it cannot be loaded. */
const DemoVideo = lazy<() => ReactNode>(() =>
  import("./demo-video.tsx").catch(() => ({ default: () => null })),
);

export function HowItWorks() {
  const id = useId();
  return (
    <section aria-labelledby={id} className="mt-6 sm:mt-12">
      <h2 id={id} className="text-center text-xl font-semibold tracking-tight">
        {messages.howItWorks}
      </h2>
      <div className="mt-5 aspect-4/3">
        <Suspense>
          <DemoVideo />
        </Suspense>
      </div>
    </section>
  );
}
