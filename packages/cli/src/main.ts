import { type Command, CommanderError } from 'commander';
import packageJson from '../package.json' with { type: 'json' };
import { EXIT_CODES } from './exit-codes.ts';

/** Runs the command line. The output of a command goes to standard output, everything else to standard error. */
export async function run(words: readonly string[]): Promise<void> {
  process.stdout.on('error', endWithReader);
  try {
    const program = await loadProgram(words);
    await program.parseAsync([...words], { from: 'user' });
  } catch (error) {
    if (error instanceof CommanderError) {
      process.exitCode = usageCode(error);
    } else {
      const { reportFailure } = await import('./report-failure.ts');
      process.exitCode = reportFailure(error, words.includes('--json'));
    }
  }
}

/** `seathold … | head` closes the pipe when it has enough; there is no reader left. */
function endWithReader(error: NodeJS.ErrnoException): void {
  if (error.code !== 'EPIPE') {
    throw error;
  }
  process.exit(EXIT_CODES.ok);
}

/** The service runs for months, so it loads only its own command: all commands take 5 MB. */
async function loadProgram(words: readonly string[]): Promise<Command> {
  if (words[0] !== 'serve') {
    const { createProgram } = await import('./create-program.ts');
    return createProgram();
  }
  const [{ createBareProgram }, { addServeCommand }] = await Promise.all([
    import('./create-bare-program.ts'),
    import('./commands/serve.ts'),
  ]);
  const program = createBareProgram();
  addServeCommand(program, packageJson.version);
  return program;
}

/** Commander has already printed help, version or the error. */
function usageCode(error: CommanderError): number {
  return error.exitCode === 0 ? EXIT_CODES.ok : EXIT_CODES.usage;
}
