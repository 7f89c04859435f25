import { type ComponentType, lazy, memo, Suspense } from "react";

/** The parts of the start page that are not in the first script. If it cannot be loaded, prerendered parts stay as they are. */
const load = () => import("./landing.tsx").catch(() => new Promise<never>(() => {}));

type Landing = Awaited<ReturnType<typeof load>>;

/** Memoized: if its parent rendered again before the script has loaded, React would replace what is prerendered. */
function section(name: keyof Landing, placeholder: string): ComponentType {
  const Section = lazy(async () => ({ default: (await load())[name] }));
  return memo(() => (
    <Suspense fallback={<div className={placeholder} />}>
      <Section />
    </Suspense>
  ));
}

export const SellingPoints = section("SellingPoints", "min-h-80");
export const HowItWorks = section("HowItWorks", "min-h-screen");
export const Questions = section("Questions", "min-h-100");
