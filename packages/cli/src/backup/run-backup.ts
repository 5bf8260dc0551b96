import type { LoadedBackup } from '@seathold/server/operator/backup/load-backup';
import { CommandFailure } from '../command-failure.ts';

/** Runs work that ends with an error at the first SIGINT or SIGTERM, after it has removed what it left unfinished. */
export async function cancelOnSignal(work: (signal: AbortSignal) => Promise<void>): Promise<void> {
  const canceling = new AbortController();
  const cancel = () => canceling.abort(new CommandFailure('canceled', 'Canceled. Nothing was left behind.'));
  process.once('SIGINT', cancel);
  process.once('SIGTERM', cancel);
  try {
    await work(canceling.signal);
  } finally {
    process.off('SIGINT', cancel);
    process.off('SIGTERM', cancel);
  }
}

/** One environment's content of a backup, in one line. */
export function describeEnvironment(of: { environment: string; tables: number; rows: number; bytes: number }): string {
  return `  ${of.environment}: ${of.tables} tables, ${of.rows} rows, ${describeSize(of.bytes)}`;
}

/** The loaded content of a backup, for scripts. */
export function describeLoaded(source: string, { header, environments, notes }: LoadedBackup) {
  return {
    source,
    id: header.id,
    created_at: header.created_at,
    environments: environments.map(({ takenAt, ...rest }) => ({ ...rest, taken_at: takenAt })),
    notes,
  };
}

/** A number of bytes for people. */
function describeSize(bytes: number): string {
  const units = ['bytes', 'kB', 'MB', 'GB', 'TB'];
  const step = bytes < 1_000 ? 0 : Math.min(Math.floor(Math.log10(bytes) / 3), units.length - 1);
  const value = bytes / 1_000 ** step;
  return `${step === 0 || value >= 100 ? Math.round(value) : value.toFixed(1)} ${units[step]}`;
}
