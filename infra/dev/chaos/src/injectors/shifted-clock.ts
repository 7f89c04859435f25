/** Preloaded into a process: shifts its clock by CLOCK_SHIFT_MS milliseconds. */
const shiftMs = Number(process.env.CLOCK_SHIFT_MS);
const realNow = Date.now;

globalThis.Date = new Proxy(Date, {
  construct: (target, args) =>
    Reflect.construct(target, args.length === 0 ? [realNow() + shiftMs] : args),
  get: (target, name) =>
    name === "now" ? () => realNow() + shiftMs : Reflect.get(target, name, target),
});
