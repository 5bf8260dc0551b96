/** When backups are made: daily at a time in UTC, or every given number of hours. */
export type BackupSchedule = { kind: 'daily'; minute: number } | { kind: 'every'; hours: number };

/** Reads `daily 03:00` or `every 6h`. */
export function parseBackupSchedule(text: string): { value: BackupSchedule } | { problem: string } {
  const [, hour, minute] = /^daily ([01]\d|2[0-3]):([0-5]\d)$/.exec(text) ?? [];
  if (hour !== undefined && minute !== undefined) {
    return { value: { kind: 'daily', minute: Number(hour) * 60 + Number(minute) } };
  }
  const hours = Number(/^every (\d{1,3})h$/.exec(text)?.[1] ?? 0);
  return hours >= 1 && hours <= 168
    ? { value: { kind: 'every', hours } }
    : { problem: 'must look like `daily 03:00` (UTC) or `every 6h` (1 to 168 hours)' };
}

/** The last time at or before `nowMs` at which a backup was due, the same for every process. */
export function slotAt(schedule: BackupSchedule, nowMs: number): number {
  const lengthMs = schedule.kind === 'daily' ? DAY_MS : schedule.hours * HOUR_MS;
  const offsetMs = schedule.kind === 'daily' ? schedule.minute * 60_000 : 0;
  return Math.floor((nowMs - offsetMs) / lengthMs) * lengthMs + offsetMs;
}

const HOUR_MS = 3_600_000;
const DAY_MS = 24 * HOUR_MS;
