import { type ChildProcess, fork } from 'node:child_process';
import { randomUUID } from 'node:crypto';
import { join } from 'node:path';
import { type BackupSchedule, type Config, slotAt } from '../../config/index.ts';
import type { Queries } from '../../database/index.ts';
import type { Job } from '../../jobs/index.ts';
import type { Logger } from '../../log/index.ts';
import { findDatabaseTime } from '../overview/queries.ts';
import type { BackupOrder } from './backup-process.ts';
import { deleteOldBackups, deleteUnfinished, nameBackup } from './kept-backups.ts';
import { claimBackup, updateBackupCompleted, updateBackupReleased } from './queries.ts';

/** The dependencies of scheduled backups. */
export interface BackupTools {
  database: Queries;
  config: Config;
  log: Logger;
  version: string;
}

/** Makes a backup when one is due; undefined if no schedule is set. Only one process of an installation makes it. */
export function scheduledBackupJob(tools: BackupTools): Job | undefined {
  const { backupSchedule: schedule, backupDir: folder } = tools.config;
  if (schedule === undefined || folder === undefined) {
    return undefined;
  }
  const backups = new ScheduledBackups(tools, schedule, folder);
  return {
    name: 'operator.back-up',
    everyMs: 15_000,
    maxPauseMs: 300_000,
    run: () => backups.run(),
    finish: () => backups.stop(),
  };
}

/** A backup can take long, so a run of the job starts it, and later runs check on it. */
class ScheduledBackups {
  readonly #tools: BackupTools;
  readonly #schedule: BackupSchedule;
  readonly #folder: string;
  readonly #processId = randomUUID();
  #child: ChildProcess | undefined;
  #ended: Promise<void> = Promise.resolve();
  /** Why the last attempt failed, until one succeeds here or elsewhere. Until then, the job counts as late. */
  #failure: string | undefined;

  constructor(tools: BackupTools, schedule: BackupSchedule, folder: string) {
    this.#tools = tools;
    this.#schedule = schedule;
    this.#folder = folder;
  }

  async run(): Promise<boolean> {
    if (this.#child === undefined) {
      await this.#startIfDue();
    }
    if (this.#failure !== undefined) {
      throw new Error(`the last backup failed: ${this.#failure}`);
    }
    return false;
  }

  /** Cancels a running backup. It is made after the next start. */
  async stop(): Promise<void> {
    const child = this.#child;
    child?.kill('SIGTERM');
    const timer = setTimeout(() => child?.kill('SIGKILL'), GRACE_MS);
    await this.#ended;
    clearTimeout(timer);
  }

  async #startIfDue(): Promise<void> {
    const { now_ms: nowMs } = await findDatabaseTime(this.#tools.database);
    const slot = slotAt(this.#schedule, nowMs);
    if (!(await this.#claim(slot, nowMs))) {
      // It was made, or another process is making it.
      this.#failure = undefined;
      return;
    }
    try {
      await deleteUnfinished(this.#folder);
      this.#start(slot, nowMs);
    } catch (error) {
      await this.#fail(error instanceof Error ? error.message : String(error));
    }
  }

  #claim(slot: number, nowMs: number): Promise<boolean> {
    const claim = { processId: this.#processId, slot, at: nowMs, until: nowMs + CLAIM_MS };
    return claimBackup(this.#tools.database, claim);
  }

  #start(slot: number, nowMs: number): void {
    const { config, version: serviceVersion } = this.#tools;
    const { databaseUrl, sandboxDatabaseUrl, dataDir, sandbox, masterKey, backupKey } = config;
    const order: BackupOrder = {
      config: { databaseUrl, sandboxDatabaseUrl, dataDir, sandbox, masterKey, backupKey },
      target: join(this.#folder, nameBackup(nowMs)),
      serviceVersion,
    };
    const child = fork(PROGRAM, [], { stdio: ['ignore', 'ignore', 'pipe', 'ipc'], serialization: 'advanced' });
    this.#child = child;
    child.send(order, () => undefined);
    const timer = setInterval(() => void this.#renew(child, slot), RENEW_MS);
    this.#ended = untilEnd(child)
      .then((outcome) =>
        outcome.kind === 'made' ? this.#complete(slot, order.target, outcome.made) : this.#fail(outcome.reason),
      )
      .catch((error: unknown) => {
        this.#failure = error instanceof Error ? error.message : String(error);
      })
      .finally(() => {
        clearInterval(timer);
        this.#child = undefined;
      });
  }

  /** A process that was frozen may find that another one has begun. */
  async #renew(child: ChildProcess, slot: number): Promise<void> {
    try {
      const { now_ms: nowMs } = await findDatabaseTime(this.#tools.database);
      if (!(await this.#claim(slot, nowMs))) {
        child.kill('SIGTERM');
      }
    } catch {
      // Without its database, a backup fails by itself.
    }
  }

  async #complete(slot: number, target: string, made: object): Promise<void> {
    const { database, log, config } = this.#tools;
    const { now_ms: at } = await findDatabaseTime(database);
    await updateBackupCompleted(database, { processId: this.#processId, slot, at });
    this.#failure = undefined;
    log.info({ target, backup: made }, 'made a backup');
    const deleted = await deleteOldBackups(this.#folder, config.backupKeep);
    if (deleted.length > 0) {
      log.info({ folder: this.#folder, deleted }, 'deleted old backups');
    }
  }

  async #fail(reason: string): Promise<void> {
    this.#failure = reason;
    await updateBackupReleased(this.#tools.database, { processId: this.#processId }).catch(() => undefined);
  }
}

type Outcome = { kind: 'made'; made: object } | { kind: 'failed'; reason: string };

function untilEnd(child: ChildProcess): Promise<Outcome> {
  let made: object | undefined;
  let complaint = '';
  child.on('message', (message) => {
    made = typeof message === 'object' && message !== null ? message : undefined;
  });
  child.stderr?.setEncoding('utf8').on('data', (text: string) => {
    complaint = (complaint + text).slice(-2_000);
  });
  return new Promise((resolve) => {
    child.on('error', (error) => resolve({ kind: 'failed', reason: error.message }));
    child.on('close', (code, signal) =>
      resolve(
        made !== undefined && code === 0
          ? { kind: 'made', made }
          : { kind: 'failed', reason: complaint.trim() || `its process ended with ${signal ?? code}` },
      ),
    );
  });
}

const PROGRAM = new URL('./backup-process.ts', import.meta.url);

/** A claim that is not renewed for this long belongs to a dead process. */
const CLAIM_MS = 60_000;
const RENEW_MS = 15_000;

/** The service has 10 seconds to stop. */
const GRACE_MS = 2_000;
