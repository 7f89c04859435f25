export { GuestSections } from "./guest-sections.tsx";
export { HowItWorks } from "./how-it-works.tsx";
