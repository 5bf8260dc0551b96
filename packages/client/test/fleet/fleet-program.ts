import { type ChildProcess, spawn } from 'node:child_process';
import { randomBytes } from 'node:crypto';
import { once } from 'node:events';
import { closeSync, existsSync, openSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import type { Language } from './languages.ts';
import { type Action, type Line, monotonicMs, parseLines } from './records.ts';

/** What each program is started with, apart from its own machine. */
export interface ProgramSettings {
  readonly folder: string;
  readonly env: Readonly<Record<string, string>>;
}

/** A program on its own machine: a process that can be killed, put to sleep, given a wrong clock, and restarted. */
export class FleetProgram {
  readonly name: string;
  readonly language: Language;
  readonly actions: Action[] = [];
  readonly #settings: ProgramSettings;
  readonly #hardwareId = `hw_${randomBytes(16).toString('hex')}`;
  #child: ChildProcess | undefined;
  #isAsleep = false;
  #isMeantToEnd = false;
  /** Set if the process exited by itself, which it never should. */
  failure: string | undefined;

  constructor(name: string, language: Language, settings: ProgramSettings) {
    this.name = name;
    this.language = language;
    this.#settings = settings;
    this.shiftClock(0);
  }

  get isAwake(): boolean {
    return this.#child !== undefined && !this.#isAsleep;
  }

  /** Whether it has a seat, according to its last line. */
  get hasSeat(): boolean {
    const last = this.readLines().at(-1)?.event;
    return last === 'granted' || last === 'offline';
  }

  start(): void {
    const [command = '', ...words] = this.language.command;
    const output = openSync(this.#path('lines'), 'a');
    const errors = openSync(this.#path('errors'), 'a');
    const env = {
      ...this.#settings.env,
      ...this.language.env,
      HARDWARE_ID: this.#hardwareId,
      CLOCK_FILE: this.#path('clock'),
    };
    this.#isMeantToEnd = false;
    this.#note('started');
    const child = spawn(command, words, { env, stdio: ['ignore', output, errors] });
    closeSync(output);
    closeSync(errors);
    this.#child = child;
    child.on('exit', (code, signal) => {
      if (!this.#isMeantToEnd) {
        const said = readFileSync(this.#path('errors'), 'utf8').slice(-500);
        this.failure = `${this.name} ended by itself with ${signal ?? code}: ${said}`;
      }
    });
  }

  /** kill -9. */
  async kill(): Promise<void> {
    await this.#end('SIGKILL', 'killed');
  }

  /** The program may release its seat. */
  async tellToEnd(): Promise<void> {
    await this.#end('SIGTERM', 'told_to_end');
  }

  fallAsleep(): void {
    this.#child?.kill('SIGSTOP');
    this.#isAsleep = true;
    this.#note('asleep');
  }

  wakeUp(): void {
    // Recorded first, because the program may be faster.
    this.#note('awake');
    this.#isAsleep = false;
    this.#child?.kill('SIGCONT');
  }

  /** From now on the program's time of day is ahead by this much. */
  shiftClock(aheadMs: number): void {
    const bytes = Buffer.alloc(8);
    bytes.writeBigInt64LE(BigInt(aheadMs));
    // Overwritten in place, because the program has mapped the file into memory.
    writeFileSync(this.#path('clock'), bytes, { flag: aheadMs === 0 && this.#child === undefined ? 'w' : 'r+' });
  }

  readLines(): Line[] {
    const path = this.#path('lines');
    return existsSync(path) ? parseLines(this.name, readFileSync(path, 'utf8')) : [];
  }

  async #end(signal: NodeJS.Signals, event: Action['event']): Promise<void> {
    const child = this.#child;
    if (child !== undefined) {
      const ended = once(child, 'exit');
      this.#isMeantToEnd = true;
      this.#note(event);
      child.kill(signal);
      this.#child = undefined;
      await ended;
    }
  }

  #note(event: Action['event']): void {
    this.actions.push({ at: monotonicMs(), program: this.name, event });
  }

  #path(kind: string): string {
    return join(this.#settings.folder, `${this.name}.${kind}`);
  }
}
