import { constants, setPriority } from 'node:os';
import { type BackupConfig, backUp } from './create-backup.ts';

/** The order for this program. */
export interface BackupOrder {
  config: BackupConfig;
  target: string;
  serviceVersion: string;
}

// The program of a scheduled backup. It runs in a separate process with low priority, so that copying, hashing and
// compressing do not delay requests. Its last output on standard error is logged.

const canceling = new AbortController();
const cancel = () => canceling.abort(new Error('the backup was canceled'));
// A terminal sends its signals to all processes of a service; the service itself decides.
process.on('SIGINT', () => undefined);
process.on('SIGHUP', () => undefined);
process.on('SIGTERM', cancel);
// The service has exited, and with it its database or the claim.
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
  // It then runs with the service's priority.
}
