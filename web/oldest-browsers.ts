/** The oldest versions in which the site works, by the names of MDN's compatibility data, as the README of the repository says. */
export const OLDEST_BROWSERS = { chrome: 111, firefox: 128, safari: 16.4, safari_ios: 16.4 };

const { chrome, firefox, safari } = OLDEST_BROWSERS;

export const BUILD_TARGET = [`chrome${chrome}`, `firefox${firefox}`, `safari${safari}`];
