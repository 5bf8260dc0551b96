import { resolve } from 'node:path';
import { Seathold, type SeatholdOptions } from '@seathold/client';
import { CommandFailure } from '../command-failure.ts';
import type { OperatorOptions } from '../operator/options.ts';
import { createQuestions } from '../terminal/questions.ts';
import { readInput } from '../terminal/read-input.ts';
import { credentialsPath, readOperatorCredentials } from './credentials.ts';
import { normalizeBaseUrl, type Place } from './find-access.ts';
import { findLocalAuthority, trustAuthority } from './trust-authority.ts';

type Variables = Readonly<Record<string, string | undefined>>;
type AccessOptions = Pick<OperatorOptions, 'url' | 'caFile' | 'tokenStdin' | 'sandbox'>;

/** The URL for remote use; undefined for a command on the server. */
export function findOperatorUrl({ url }: AccessOptions, variables: Variables = process.env): string | undefined {
  const named = url ?? variables.SEATHOLD_URL;
  return named === undefined || named === '' ? undefined : normalizeBaseUrl(named);
}

/**
 * The URL of the service, with the given certificate authority, the one stored at login, or that of a service on this
 * machine.
 */
export async function findOperatorPlace(
  baseUrl: string,
  { caFile }: AccessOptions,
  variables: Variables = process.env,
): Promise<Place> {
  const kept = await readOperatorCredentials(credentialsPath(variables), baseUrl);
  const named = caFile === undefined ? kept?.ca : resolve(caFile);
  return { baseUrl, ca: named ?? (await findLocalAuthority(baseUrl, variables)) };
}

/** The operator token: from standard input, the environment, the last `seathold operator login`, or the person at the terminal. */
async function findOperatorToken(baseUrl: string, options: AccessOptions, variables: Variables): Promise<string> {
  if (options.tokenStdin !== true) {
    const kept = await readOperatorCredentials(credentialsPath(variables), baseUrl);
    const token = variables.SEATHOLD_OPERATOR_TOKEN || kept?.token;
    if (token !== undefined) {
      return token;
    }
  }
  return readOperatorToken(baseUrl, options);
}

/**
 * An operator token from standard input, or from the person at the terminal. Never an argument, which every user of the
 * machine can see.
 */
export async function readOperatorToken(baseUrl: string, { tokenStdin }: AccessOptions): Promise<string> {
  if (tokenStdin === true) {
    return requireToken((await readInput('-')).toString('utf8'));
  }
  const questions = createQuestions();
  if (!questions.isInteractive) {
    const ways = `run \`seathold operator login --url ${baseUrl}\`, set SEATHOLD_OPERATOR_TOKEN, or use --token-stdin`;
    throw new CommandFailure('not_logged_in', `There is no operator token for ${baseUrl}: ${ways}.`);
  }
  try {
    return requireToken(await questions.askHidden(`Operator token for ${baseUrl}: `));
  } finally {
    questions.close();
  }
}

/** A client of the service at a URL. */
export async function createOperatorClient(
  baseUrl: string,
  options: AccessOptions,
  client: Pick<SeatholdOptions, 'fetch'> = {},
): Promise<Seathold> {
  if (options.sandbox === true) {
    const advice = "name the sandbox's own URL";
    throw new CommandFailure('invalid_argument', `--sandbox is for commands on the server. Remotely, ${advice}.`);
  }
  const { ca } = await findOperatorPlace(baseUrl, options);
  const token = await findOperatorToken(baseUrl, options, process.env);
  if (ca !== null) {
    await trustAuthority(ca);
  }
  return new Seathold({ ...client, baseUrl, token });
}

function requireToken(text: string): string {
  const token = text.trim();
  if (token === '') {
    throw new CommandFailure('missing_input', 'Standard input contains no operator token.');
  }
  return token;
}
