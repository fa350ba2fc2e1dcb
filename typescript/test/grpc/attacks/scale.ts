/** Seconds that an attack lasts. `SAMEWIRE_ATTACK_SECONDS=20` makes the tests as long as a trial. */
export const SECONDS = Number(process.env["SAMEWIRE_ATTACK_SECONDS"] ?? 1);
