import { constants, setPriority } from 'node:os';
import { type BackupConfig, backUp } from './create-backup.ts';

/** What this program is asked to do. */
export interface BackupOrder {
  config: BackupConfig;
  target: string;
  serviceVersion: string;
}

// The program of a scheduled backup. It runs in a process of its own with a low priority, so that copying, hashing and
// compressing delay no request. Its last words on standard error are what the log says.

const canceling = new AbortController();
const cancel = () => canceling.abort(new Error('the backup was canceled'));
// A terminal sends its signals to all processes of a service. The service decides.
process.on('SIGINT', () => undefined);
process.on('SIGHUP', () => undefined);
process.on('SIGTERM', cancel);
// The service is gone, and with it its database or the claim.
process.on('disconnect', cancel);

process.once('message', (order: BackupOrder) => {
  backUp(order.config, { ...order, signal: canceling.signal }).then(
    (made) => process.send?.(made, () => process.exit(0)),
    (error: unknown) => {
      process.stderr.write(error instanceof Error ? error.message : String(error));
      process.exit(1);
    },
  );
});

try {
  setPriority(constants.priority.PRIORITY_LOW);
} catch {
  // Then it runs with that of the service.
}
