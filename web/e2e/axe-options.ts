/** Of axe in each browser. Axe leaves the size of targets out unless it is asked for. */
export const AXE_OPTIONS = { rules: { "target-size": { enabled: true } } };
