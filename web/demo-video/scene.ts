import type { messages } from "@tapthru/proto/rules/messages";

export type Step = keyof typeof messages.demoVideoSteps;

export interface Point {
  x: number;
  y: number;
}

/** A screenshot of a page of Tapthru. */
export interface Screenshot {
  /** A data URL. */
  src: string;
  /** In CSS pixels of the page. */
  width: number;
  height: number;
}

/** What the stage shows below the caption. */
export type Screen =
  | { kind: "window"; screenshot: Screenshot }
  | { kind: "phone"; screenshot: Screenshot; address: string }
  | { kind: "message"; link: string }
  | { kind: "address"; scheme: string; page: string; tag: string };

export interface Scene {
  step: Step;
  screen: Screen;
  /** The position of a finger or mouse, in CSS pixels of the screen. */
  pointer?: Point & { isDown: boolean };
  /** From 0 (invisible) to 1. */
  opacity?: number;
}

export const STAGE = { width: 1_200, height: 900 };
