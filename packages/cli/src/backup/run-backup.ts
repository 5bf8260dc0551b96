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

/** A number of bytes for people. */
export function describeSize(bytes: number): string {
  const units = ['bytes', 'kB', 'MB', 'GB', 'TB'];
  const step = bytes < 1_000 ? 0 : Math.min(Math.floor(Math.log10(bytes) / 3), units.length - 1);
  const value = bytes / 1_000 ** step;
  return `${step === 0 || value >= 100 ? Math.round(value) : value.toFixed(1)} ${units[step]}`;
}
