import { createHash, randomBytes } from 'node:crypto';
import { readFile, readlink } from 'node:fs/promises';
import { hostname } from 'node:os';
import { identifyProcess } from './process-table.ts';

/** The process that wrote a lock file. */
export interface LockOwner {
  readonly pid: number;
  /** Distinguishes this process from a later one with the same PID. */
  readonly identity: string;
  /** A random name, never used again. */
  readonly id: string;
  readonly host: string;
  /** Where its PID is valid: the boot of a machine and the PID namespace in it. Undefined if unknown. */
  readonly place: string | undefined;
}

/** This process as the owner of a lock that it is about to take. */
export async function describeOurselves(): Promise<LockOwner> {
  return {
    pid: process.pid,
    identity: (await identifyProcess(process.pid)) ?? '',
    id: randomBytes(8).toString('hex'),
    host: hostname(),
    place: await findPlace(),
  };
}

/** The beat comes last and always has the same length, so that it can be overwritten in place. */
export function formatLock({ pid, identity, id, host, place }: LockOwner, beat: number): string {
  const lines = [`${pid} ${identity}`, `owner ${id}`, `host ${host}`, `place ${place ?? ''}`, `beat ${padBeat(beat)}`];
  return `${lines.join('\n')}\n`;
}

function padBeat(beat: number): string {
  return String(beat).padStart(BEAT_DIGITS, '0');
}

const BEAT_DIGITS = 12;

/** The owner of this lock file, and its whole text, which changes with every beat; undefined if there is no file. */
export async function readLock(path: string): Promise<{ owner: LockOwner; text: string } | undefined> {
  const text = await readFile(path, 'utf8').catch(ignoreMissing);
  return text === undefined ? undefined : { owner: parseOwner(text), text };
}

function parseOwner(text: string): LockOwner {
  const [first = '', ...rest] = text.split('\n');
  const [pid = '', ...identity] = first.trim().split(' ');
  const fields = new Map(
    rest.map((line): [string, string] => [line.split(' ', 1)[0] ?? '', line.replace(/^\S+ ?/, '')]),
  );
  return {
    pid: Number.parseInt(pid, 10) || 0,
    identity: identity.join(' '),
    // Versions before the heartbeat wrote only the first line; its digest serves as the name.
    id: fields.get('owner') ?? createHash('sha256').update(text).digest('hex').slice(0, 16),
    host: fields.get('host') ?? '',
    place: fields.get('place') || undefined,
  };
}

/**
 * Whether the owner runs, if that can be proven from here: a PID is meaningful only in its own PID namespace, during
 * one boot of one machine. A lock without a place comes from an older version, and is judged by that version's rules.
 */
export async function judgeOwner(owner: LockOwner, isOldVersion: boolean): Promise<'runs' | 'dead' | 'unknown'> {
  const isHere = isOldVersion || (owner.place !== undefined && owner.place === (await findPlace()));
  if (!isHere) {
    return 'unknown';
  }
  return owner.pid > 0 && (await identifyProcess(owner.pid)) === owner.identity ? 'runs' : 'dead';
}

/** Whether a lock is from a version without heartbeats. An empty file is not: its writer may be about to fill it. */
export function isOfOldVersion(text: string): boolean {
  return /^\d+ \S[^\n]*\n$/.test(text);
}

async function findPlace(): Promise<string | undefined> {
  if (process.platform !== 'linux') {
    return hostname();
  }
  try {
    // A /proc of another namespace numbers processes differently, so it proves nothing about a PID.
    if ((await readlink('/proc/self')) !== String(process.pid)) {
      return undefined;
    }
    const bootId = (await readFile('/proc/sys/kernel/random/boot_id', 'utf8')).trim();
    return `${bootId} ${await readlink('/proc/self/ns/pid')}`;
  } catch {
    return undefined;
  }
}

function ignoreMissing(error: unknown): undefined {
  if (error instanceof Error && 'code' in error && error.code === 'ENOENT') {
    return undefined;
  }
  throw error;
}
