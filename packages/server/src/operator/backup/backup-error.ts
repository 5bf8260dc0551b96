/** Why a backup cannot be written, read or restored. The code decides how the command exits. */
export class BackupError extends Error {
  readonly code: 'damaged_backup' | 'wrong_key' | 'conflict' | 'not_found' | 'invalid_argument' | 'failed';

  constructor(code: BackupError['code'], message: string, cause?: unknown) {
    super(message, { cause });
    this.code = code;
  }
}

/** The data read is not the data written. */
export function damaged(what: string, cause?: unknown): BackupError {
  return new BackupError('damaged_backup', `The backup is damaged: ${what}. Nothing was restored from it.`, cause);
}
