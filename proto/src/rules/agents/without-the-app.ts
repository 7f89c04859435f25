/**
 * What names devices with Android that have no Amazon shopping app, as patterns of the agent in lower case. Boxes for televisions that
 * name only a model are not recognized. Tried with the agents of phones, tablets, televisions, headsets and watches of
 * matomo-org/device-detector (2026-08-19) and faisalman/ua-parser-js (2026-05-02).
 */
const DEVICES: readonly RegExp[] = [
  // Televisions, and the boxes for them.
  /tv(?![a-z])(?<=(?<![a-z])(?:(?:android|google|smart|portal|mi|u?hd|led)[ _-]?)?tv)/,
  /(?<!tur)box(?![a-z\d])|[ _-](?:stick|dongle|shell)(?![a-z])|set[ _-]?top|\bstb\b|streaming player/,
  /\bbravia|\baquos-tv|chromecast|crkey|\bmi ?box|\bled\d\d/,
  // Build numbers of Android for televisions (t) and watches (w), after the letter of the release.
  / build\/[n-w][tw][a-z0-9]{2}\.\d/,
  // Headsets.
  /oculusbrowser|mobile vr|vr safari|\bquest (?:[23]|pro)\b|picobrowser|\bpico (?:neo|4)|vive focus|\bsm-i610/,
  // Watches and cars.
  /(?<!air)watch\b|\bsm-r[89]\d\d|\baaos\b|android automotive/,
];

export const isWithoutTheApp = (agentInLowerCase: string): boolean =>
  DEVICES.some((device) => device.test(agentInLowerCase));
