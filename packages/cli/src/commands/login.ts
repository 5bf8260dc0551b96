import { hostname } from 'node:os';
import { resolve } from 'node:path';
import { type CreatedApiToken, PermissionError, Seathold } from '@seathold/client';
import type { Command } from 'commander';
import { type Credentials, credentialsPath, readCredentials, writeCredentials } from '../access/credentials.ts';
import {
  baseUrlVariable,
  DEFAULT_BASE_URLS,
  environmentOf,
  normalizeBaseUrl,
  type Place,
} from '../access/find-access.ts';
import { logIn } from '../access/log-in.ts';
import { findLocalAuthority, trustAuthority } from '../access/trust-authority.ts';
import { CommandFailure } from '../command-failure.ts';
import { columns, print } from '../output.ts';
import { openQuestions } from '../terminal/questions.ts';
import { readInput } from '../terminal/read-input.ts';

interface LoginOptions {
  baseUrl?: string;
  sandbox?: boolean;
  ca?: string;
  email?: string;
  tokenStdin?: boolean;
  organization?: string;
  json?: boolean;
}

/** `seathold login`: keeps an API token for the commands that talk to the API. */
export function addLoginCommand(program: Command): void {
  program
    .command('login')
    .description('Make an API token for this machine and keep it in your configuration folder.')
    .option('--base-url <url>', 'where the service is (default: https://localhost:8443, or :8444 with --sandbox)')
    .option('--sandbox', 'in the sandbox instead of production')
    .option('--ca <file>', 'certificate authority to trust, PEM; that of a service on this machine is found in ./data')
    .option('--email <address>', 'whose login; asked for otherwise')
    .option('--organization <id>', 'the organization to act in, for people in several')
    .option('--token-stdin', 'keep the API token that standard input holds, instead of making one')
    .option('--json', 'print JSON')
    .addHelpText('after', HELP)
    .action(login);
}

const HELP = `
Asks for e-mail and password, and for a code where two-factor is on. What is piped in is read a line for each.
The token is never shown. SEATHOLD_TOKEN in the environment wins over what is kept.

Examples:
  $ seathold login
  $ seathold login --sandbox --email jane@example.com
  $ seathold login --base-url https://seathold.example.com --ca company-ca.pem
  $ pass show seathold/token | seathold login --token-stdin`;

/** What is told of a login; never the token. */
interface Kept {
  credentials: Credentials;
  scopes: readonly string[] | null;
  refusedScopes: readonly string[];
}

async function login(options: LoginOptions): Promise<void> {
  const environment = environmentOf(options);
  const path = credentialsPath(process.env);
  const before = await readCredentials(path, environment);
  const place = await findPlace(options);
  if (place.ca !== null) {
    await trustAuthority(place.ca);
  }
  const keep = (credentials: Credentials) => writeCredentials(path, environment, credentials);
  const kept = await (options.tokenStdin === true
    ? keepGivenToken(options, place, keep)
    : keepNewToken(options, place, before, keep));
  tell(kept, path, options.json === true);
}

async function findPlace(options: LoginOptions): Promise<Place> {
  const environment = environmentOf(options);
  const named = options.baseUrl ?? process.env[baseUrlVariable(environment)];
  const baseUrl = normalizeBaseUrl(named ?? DEFAULT_BASE_URLS[environment]);
  // Absolute, for the next command may run in another folder.
  const ca = options.ca === undefined ? await findLocalAuthority(baseUrl, process.env) : resolve(options.ca);
  return { baseUrl, ca };
}

/** Keeps a token that was made elsewhere, once a call has shown that it works. */
async function keepGivenToken(
  options: LoginOptions,
  { baseUrl, ca }: Place,
  keep: (credentials: Credentials) => Promise<void>,
): Promise<Kept> {
  if (options.email !== undefined || options.organization !== undefined) {
    throw new CommandFailure('invalid_argument', 'With --token-stdin the token says whose it is and where it acts.');
  }
  const token = (await readInput('-')).toString('utf8').trim();
  if (token === '') {
    throw new CommandFailure('missing_input', 'Standard input holds no token.');
  }
  const client = new Seathold({ baseUrl, token });
  // Any token may make this call; who it belongs to is told to those alone that may read the profile.
  await client.eventTypes.list({ limit: 1 });
  const user = await client.me.get().catch((error: unknown) => {
    if (error instanceof PermissionError) {
      return undefined;
    }
    throw error;
  });
  const organization = user === undefined ? null : { id: user.organization.id, name: user.organization.name };
  const credentials = { base_url: baseUrl, token, organization, ca, made: null };
  await keep(credentials);
  return { credentials, scopes: null, refusedScopes: [] };
}

/** Logs in, makes a token, keeps it in place of the last one, and logs out again. */
async function keepNewToken(
  options: LoginOptions,
  { baseUrl, ca }: Place,
  before: Credentials | undefined,
  keep: (credentials: Credentials) => Promise<void>,
): Promise<Kept> {
  const questions = openQuestions();
  const login = await logIn(questions, {
    baseUrl,
    email: options.email,
    organizationId: options.organization,
  }).finally(() => questions.close());
  const { client } = login;
  try {
    const user = await client.me.get();
    const { id, token, scopes } = await makeToken(client);
    const credentials: Credentials = {
      base_url: baseUrl,
      token,
      organization: { id: user.organization.id, name: user.organization.name },
      ca,
      made: { token_id: id, email: user.email },
    };
    try {
      await keep(credentials);
    } catch (error) {
      // Nobody could ever use it, and nobody would think of revoking it.
      await client.apiTokens.delete(id).catch(() => undefined);
      throw error;
    }
    await revokeLast(client, before, credentials);
    return { credentials, scopes, refusedScopes: SCOPES.filter((scope) => !scopes.includes(scope)) };
  } finally {
    await login.end();
  }
}

/** What the webhook commands need; events and endpoints are for admins. */
const SCOPES = ['read:org', 'admin:org', 'read:licenses'] as const;
const SCOPES_OF_EVERYBODY = ['read:org', 'read:licenses'] as const;

async function makeToken(client: Seathold): Promise<CreatedApiToken> {
  const name = `seathold on ${hostname().replaceAll(/[^\w.-]/g, '') || 'a machine'}`.slice(0, 100);
  try {
    return await client.apiTokens.create({ name, scopes: [...SCOPES] });
  } catch (error) {
    if (!(error instanceof PermissionError && error.has('forbidden'))) {
      throw error;
    }
    return client.apiTokens.create({ name, scopes: [...SCOPES_OF_EVERYBODY] });
  }
}

/** The token that the last login made here is of no use any more. One of another person or organization is not found. */
async function revokeLast(client: Seathold, before: Credentials | undefined, now: Credentials): Promise<void> {
  if (before !== undefined && before.made !== null && before.base_url === now.base_url) {
    await client.apiTokens.delete(before.made.token_id).catch(() => undefined);
  }
}

function tell({ credentials, scopes, refusedScopes }: Kept, path: string, asJson: boolean): void {
  const { base_url: baseUrl, organization, ca, made } = credentials;
  const value = {
    base_url: baseUrl,
    organization,
    ca,
    token_id: made?.token_id ?? null,
    scopes,
    refused_scopes: refusedScopes,
    path,
  };
  const refusal =
    refusedScopes.length === 0
      ? []
      : [
          '',
          `Your role does not allow the scope ${refusedScopes.join(', ')}, so the token lacks it: webhooks and events are for admins of the organization.`,
        ];
  print(asJson, value, [
    ...columns([
      ['logged in at', baseUrl],
      ['organization', organization === null ? 'not told to this token' : `${organization.name} (${organization.id})`],
      ...(scopes === null ? [] : [['scopes', scopes.join(', ')] as const]),
      ['kept in', path],
    ]),
    ...refusal,
  ]);
}
