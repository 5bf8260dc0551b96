import { expect, it } from 'vitest';
import { parseBackupSchedule, slotAt } from './backup-schedule.ts';
import { loadConfig } from './index.ts';

function slot(text: string, now: string): string {
  const parsed = parseBackupSchedule(text);
  return 'value' in parsed ? new Date(slotAt(parsed.value, Date.parse(now))).toISOString() : parsed.problem;
}

it.for([
  ['daily 03:00', '2026-03-05T03:00:00Z', '2026-03-05T03:00:00.000Z'],
  ['daily 03:00', '2026-03-05T02:59:59Z', '2026-03-04T03:00:00.000Z'],
  ['daily 23:59', '2026-03-05T23:58:00Z', '2026-03-04T23:59:00.000Z'],
  ['every 6h', '2026-03-05T17:59:59Z', '2026-03-05T12:00:00.000Z'],
  ['every 1h', '2026-03-05T18:00:00Z', '2026-03-05T18:00:00.000Z'],
] as const)('%s at %s was last due at %s', ([text, now, due]) => {
  expect(slot(text, now)).toBe(due);
});

it.for(['daily 3:00', 'daily 24:00', 'every 0h', 'every 169h', 'hourly', '0 3 * * *'])('%s is refused', (text) => {
  expect(parseBackupSchedule(text)).toHaveProperty('problem');
});

const KEY = Buffer.alloc(32, 1).toString('base64');

it.for([
  [{ SEATHOLD_BACKUP_SCHEDULE: 'every 6h' }, 'SEATHOLD_BACKUP_SCHEDULE'],
  [{ SEATHOLD_BACKUP_KEY: 'short' }, 'SEATHOLD_BACKUP_KEY'],
  [{ SEATHOLD_BACKUP_KEY: KEY, SEATHOLD_MASTER_KEY: KEY }, 'SEATHOLD_BACKUP_KEY'],
  [{ SEATHOLD_BACKUP_KEEP: '0' }, 'SEATHOLD_BACKUP_KEEP'],
] as const)('%j is refused', ([settings, name]) => {
  expect(loadConfig(settings).problems).toMatchObject([{ name }]);
});
