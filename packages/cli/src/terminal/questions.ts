import { createInterface, type Interface } from 'node:readline';
import { Writable } from 'node:stream';
import { CommandFailure } from '../command-failure.ts';

/** Asks whoever runs the command: a person at a terminal, or what is piped in, a line for each answer. */
export interface Questions {
  /** Whether somebody can be asked again after a mistake. */
  readonly isInteractive: boolean;
  ask(question: string): Promise<string>;
  /** The same, and the answer does not appear on the terminal. */
  askHidden(question: string): Promise<string>;
  close(): void;
}

/** Opens the questions. They are put on standard error, so that standard output holds nothing but the result. */
export function openQuestions(): Questions {
  return process.stdin.isTTY === true ? openTerminal() : openLines();
}

function openTerminal(): Questions {
  let isMuted = false;
  const output = new Writable({
    write: (chunk, _encoding, done) => {
      if (!isMuted) {
        process.stderr.write(chunk);
      }
      done();
    },
  });
  // Without a history: the arrow keys must not bring a password back.
  const terminal = createInterface({ input: process.stdin, output, terminal: true, historySize: 0 });
  // readline takes Ctrl-C even while nothing is asked; there it is to end the command as it would without readline.
  terminal.on('SIGINT', () => {
    if (terminal.listenerCount('SIGINT') === 1) {
      process.kill(process.pid, 'SIGINT');
    }
  });
  const ask = (question: string) =>
    new Promise<string>((resolve, reject) => {
      const stop = () => reject(new CommandFailure('canceled', 'Canceled.'));
      terminal.once('SIGINT', stop).once('close', stop);
      terminal.question(question, (answer) => {
        terminal.off('SIGINT', stop).off('close', stop);
        resolve(answer);
      });
    });
  return {
    isInteractive: true,
    ask,
    askHidden: async (question) => {
      process.stderr.write(question);
      isMuted = true;
      try {
        return await ask('');
      } finally {
        isMuted = false;
        process.stderr.write('\n');
      }
    },
    close: () => terminal.close(),
  };
}

function openLines(): Questions {
  // Opened at the first question: a command that asks nothing leaves standard input alone.
  let source: { lines: AsyncIterator<string>; reader: Interface } | undefined;
  const next = async (question: string) => {
    if (source === undefined) {
      const reader = createInterface({ input: process.stdin, terminal: false });
      source = { lines: reader[Symbol.asyncIterator](), reader };
    }
    const { value, done } = await source.lines.next();
    if (done === true) {
      const missing = question.replace(/[:\s]+$/, '');
      throw new CommandFailure('missing_input', `Standard input ended where a line was expected for: ${missing}.`);
    }
    return value;
  };
  return { isInteractive: false, ask: next, askHidden: next, close: () => source?.reader.close() };
}
