/** XPaths of elements by their accessible name. */

const withName = (name: string) => `[@aria-label="${name}" or normalize-space()="${name}"]`;

export const button = (name: string, within = "") => `${within}//button${withName(name)}`;

export const link = (name: string, within = "") => `${within}//a${withName(name)}`;

export const field = (label: string) =>
  `//*[self::input or self::textarea][@aria-label="${label}" or @id=//label[normalize-space()="${label}"]/@for]`;

export const heading = (text: string) => `//*[self::h1 or self::h2][normalize-space()="${text}"]`;

export const DIALOG = '//*[@role="alertdialog"]';
