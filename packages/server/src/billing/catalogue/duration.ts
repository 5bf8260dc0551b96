/** How a catalogue file writes durations: a whole number and its unit. A number alone is seconds, as in the settings. */
export const DURATION_PATTERN = '^(0|[1-9][0-9]{0,8})[smhd]$';

const UNITS = [
  ['d', 86_400],
  ['h', 3_600],
  ['m', 60],
  ['s', 1],
] as const;

/** Converts a duration to seconds, for example `3d` to 259,200. A number is already in seconds. */
export function parseDuration(duration: string | number): number {
  if (typeof duration === 'number') {
    return duration;
  }
  const seconds = UNITS.find(([unit]) => duration.endsWith(unit))?.[1] ?? 1;
  return Number(duration.slice(0, -1)) * seconds;
}

/** The same duration in the largest unit that divides it evenly. */
export function formatDuration(seconds: number): string {
  const [unit, size] = UNITS.find(([, each]) => seconds > 0 && seconds % each === 0) ?? ['s', 1];
  return `${seconds / size}${unit}`;
}
