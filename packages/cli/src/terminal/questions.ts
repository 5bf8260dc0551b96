import { createInterface, type Interface } from 'node:readline';
import { CommandFailure } from '../command-failure.ts';

/** Asks the user: a person at a terminal, or piped input with one line per answer. */
export interface Questions {
  /** Whether a person can be asked again after a mistake. */
  readonly isInteractive: boolean;
  ask(question: string): Promise<string>;
  /** Like `ask`, but the answer does not appear on the terminal. */
  askHidden(question: string): Promise<string>;
  close(): void;
}

/** Questions go to standard error, so that standard output contains only the result. */
export function createQuestions(): Questions {
  return process.stdin.isTTY === true ? createTerminalQuestions() : createLineQuestions();
}

function createTerminalQuestions(): Questions {
  return {
    isInteractive: true,
    ask: (question) => prompt(async ({ input }, context) => input({ message: question.trim(), theme: THEME }, context)),
    askHidden: (question) =>
      prompt(async ({ password }, context) =>
        password({ message: question.trim(), toggleMask: false, theme: THEME }, context),
      ),
    close: () => undefined,
  };
}

const THEME = { prefix: '' };

type Prompts = typeof import('@inquirer/prompts');
interface PromptContext {
  output: NodeJS.WritableStream;
  signal: AbortSignal;
}

async function prompt(ask: (prompts: Prompts, context: PromptContext) => Promise<string>): Promise<string> {
  // Loaded here, because most commands ask nothing and start faster without it.
  const prompts = await import('@inquirer/prompts');
  const closed = new AbortController();
  const abort = () => closed.abort();
  // The library's promise never settles when the terminal is closed or gets Ctrl-D; reading from it pauses then.
  process.stdin.once('pause', abort);
  try {
    return await ask(prompts, { output: process.stderr, signal: closed.signal });
  } catch (error) {
    if (error instanceof Error && CANCELED.has(error.name)) {
      throw new CommandFailure('canceled', 'Canceled.');
    }
    throw error;
  } finally {
    process.stdin.off('pause', abort);
  }
}

/** Ctrl-C, and the signal above. */
const CANCELED: ReadonlySet<string> = new Set(['ExitPromptError', 'AbortPromptError']);

function createLineQuestions(): Questions {
  // Created at the first question: a command without questions does not read standard input.
  let source: { lines: AsyncIterator<string>; reader: Interface } | undefined;
  const next = async (question: string) => {
    if (source === undefined) {
      const reader = createInterface({ input: process.stdin, terminal: false });
      source = { lines: reader[Symbol.asyncIterator](), reader };
    }
    const { value, done } = await source.lines.next();
    if (done === true) {
      const missing = question.replace(/[:\s]+$/, '');
      throw new CommandFailure('missing_input', `Standard input ended before a line for: ${missing}.`);
    }
    return value;
  };
  return { isInteractive: false, ask: next, askHidden: next, close: () => source?.reader.close() };
}
