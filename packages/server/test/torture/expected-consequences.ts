/**
 * Whether an error line in the log is the necessary consequence of an outage longer than a lease: an attempt was made
 * while PostgreSQL was down, its outcome could not be written before its lease ended, and it is made again. That is
 * what "at least once" means. Only exactly this line with its cause counts: without an outage behind it, it is a
 * defect.
 */
export function isOutlivedLease(line: string): boolean {
  const { msg, err } = readLine(line);
  return (
    msg === 'could not record an attempt; it will be made again' &&
    err?.message === 'the outcome of an attempt could not be recorded in time' &&
    err.cause?.type === 'DatabaseUnavailable'
  );
}

interface LoggedError {
  type?: string;
  message?: string;
  cause?: LoggedError;
}

function readLine(line: string): { msg?: string; err?: LoggedError } {
  try {
    return JSON.parse(line);
  } catch {
    return {};
  }
}
