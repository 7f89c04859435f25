import { messages } from "@tapthru/proto/rules/messages";
import { lazy, memo, Suspense, useId } from "react";

/** If it cannot be loaded, a prerendered video stays as it is, and the place of another one stays empty. */
const DemoVideo = lazy(() => import("./demo-video.tsx").catch(() => new Promise<never>(() => {})));

/** Memoized: if its parent rendered again before the script has loaded, React would replace the prerendered video. */
export const HowItWorks = memo(function HowItWorks() {
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
});
