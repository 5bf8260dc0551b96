/** A day of the clock, in seconds. */
export const DAY_SECONDS = 86_400;

/** The seconds from a time to the same time of the next month in UTC, or to the last day of a shorter month. */
export function secondsToNextMonth(nowMs: number): number {
  const now = new Date(nowMs);
  const [year, month] = [now.getUTCFullYear(), now.getUTCMonth() + 1];
  const lastDay = new Date(Date.UTC(year, month + 1, 0)).getUTCDate();
  const then = new Date(nowMs);
  then.setUTCFullYear(year, month, Math.min(now.getUTCDate(), lastDay));
  return Math.round((then.getTime() - nowMs) / 1000);
}

/** The screen of what happened while the clock moved; undefined where there is none. */
export function screenOfResource(id: string | null): string | undefined {
  const found = SCREENS.find(([prefix]) => id?.startsWith(prefix) === true);
  return found === undefined ? undefined : `${found[1]}/${id}`;
}

const SCREENS = [
  ['lic_', '/licenses'],
  ['sub_', '/subscriptions'],
  ['inv_', '/invoices'],
] as const;
