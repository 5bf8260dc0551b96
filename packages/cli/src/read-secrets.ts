import { CommandFailure } from './command-failure.ts';
import { readInput } from './terminal/read-input.ts';

/** How a signing secret is passed. Never as an argument, which every user of the machine can see. */
export interface SecretOptions {
  secretFile?: string;
  secretStdin?: boolean;
}

/** The given secrets, one per line; none if there are none. */
export async function readSecrets(
  { secretFile, secretStdin }: SecretOptions,
  variables: Readonly<Record<string, string | undefined>>,
): Promise<string[]> {
  if (secretFile !== undefined && secretStdin === true) {
    throw new CommandFailure('invalid_argument', 'Use either --secret-file or --secret-stdin, not both.');
  }
  const path = secretStdin === true ? '-' : secretFile;
  const text = path === undefined ? variables.SEATHOLD_WEBHOOK_SECRET : (await readInput(path)).toString('utf8');
  const secrets = (text ?? '').split(/\r?\n/).filter((line) => line.trim() !== '');
  if (path !== undefined && secrets.length === 0) {
    throw new CommandFailure('missing_input', `No secret in ${path === '-' ? 'standard input' : path}.`);
  }
  return secrets;
}
