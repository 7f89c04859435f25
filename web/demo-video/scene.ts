import type { messages } from "@tapthru/proto/rules/messages";

export type Step = keyof typeof messages.demoVideoSteps;

export interface Point {
  x: number;
  y: number;
}

/** A picture of the product. */
export interface Shot {
  /** A data URL. */
  src: string;
  /** In CSS pixels of the page, as the pointer's. */
  width: number;
  height: number;
}

/** What stands on the stage below its caption. */
export type Screen =
  | { kind: "window"; shot: Shot }
  | { kind: "phone"; shot: Shot; address: string }
  | { kind: "message"; link: string }
  | { kind: "address"; scheme: string; page: string; tag: string };

export interface Scene {
  step: Step;
  screen: Screen;
  /** Where a finger or a mouse is, on the screen's own scale. */
  pointer?: Point & { isDown: boolean };
  /** From 0, unseen, to 1. */
  opacity?: number;
}

export const STAGE = { width: 1_200, height: 900 };
