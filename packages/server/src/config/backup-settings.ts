import { define, optional, optionalSecret } from './define-setting.ts';
import { parsers } from './parsers.ts';

/** When and where the service backs itself up (docs/operating/backup.md). */
export const BACKUP_SETTINGS = {
  backupSchedule: optional(
    'SEATHOLD_BACKUP_SCHEDULE',
    'When the service makes a backup: `daily 03:00` (UTC), or `every 6h`. Requires SEATHOLD_BACKUP_DIR. If not set, there are no scheduled backups.',
    parsers.backupSchedule,
  ),
  backupDir: optional(
    'SEATHOLD_BACKUP_DIR',
    'The folder for scheduled backups. Each backup is a subfolder.',
    parsers.folder,
  ),
  backupKeep: define(
    'SEATHOLD_BACKUP_KEEP',
    'How many scheduled backups to keep. Older ones are deleted after the next one is complete.',
    '7',
    parsers.count(1, 10_000),
  ),
  backupKey: optionalSecret(
    'SEATHOLD_BACKUP_KEY',
    'The 32-byte key, in base64, that encrypts and decrypts backups. If not set, backups are encrypted only if a command names a key file.',
    parsers.backupKey,
  ),
} as const;
