import { type ChildProcessByStdio, spawn } from 'node:child_process';
import { once } from 'node:events';
import { basename } from 'node:path';
import { createInterface } from 'node:readline';
import type { Readable, Writable } from 'node:stream';
import { fileURLToPath } from 'node:url';
import { pinned, type Side } from './pinning.ts';

/** A TypeScript program in a process of its own that answers lines with lines. */
export class LineProgram {
  readonly #child: ChildProcessByStdio<Writable, Readable, null>;
  readonly #lines: AsyncIterator<string>;
  readonly #name: string;

  constructor(side: Side, program: URL, args: readonly string[]) {
    const file = fileURLToPath(program);
    const [command, commandArgs] = pinned(side, process.execPath, [file, ...args]);
    this.#name = basename(file);
    this.#child = spawn(command, commandArgs, { stdio: ['pipe', 'pipe', 'inherit'] });
    this.#lines = createInterface({ input: this.#child.stdout })[Symbol.asyncIterator]();
  }

  get pid(): number {
    return this.#child.pid ?? 0;
  }

  /** The next line that the program says by itself. */
  async read(): Promise<string> {
    const { done, value } = await this.#lines.next();
    if (done === true) {
      throw new Error(`${this.#name} ended`);
    }
    return value;
  }

  /** Says a line and waits for the answer; one at a time. */
  async ask(line: string): Promise<string> {
    this.#child.stdin.write(`${line}\n`);
    return this.read();
  }

  async stop(): Promise<void> {
    if (this.#child.exitCode === null && this.#child.signalCode === null) {
      const ended = once(this.#child, 'exit');
      this.#child.kill();
      await ended;
    }
  }
}
