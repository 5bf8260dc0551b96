import { hostname } from 'node:os';
import { resolve } from 'node:path';
import { type CreatedApiToken, NotFoundError, PermissionError, Seathold } from '@seathold/client';
import type { Command } from 'commander';
import {
  type Credentials,
  credentialsPath,
  hasExpired,
  keepCredentials,
  readCredentials,
} from '../access/credentials.ts';
import { baseUrlVariable, environmentOf, normalizeBaseUrl, type Place } from '../access/find-access.ts';
import { type Login, logIn } from '../access/log-in.ts';
import { DEFAULT_BASE_URLS } from '../access/login-command.ts';
import { findLocalAuthority, trustAuthority } from '../access/trust-authority.ts';
import { CommandFailure } from '../command-failure.ts';
import { columns, print } from '../output.ts';
import { createQuestions } from '../terminal/questions.ts';
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

/** `seathold login`: stores an API token for the commands that use the API. */
export function addLoginCommand(program: Command): void {
  program
    .command('login')
    .description('Log in. Creates an API token for this machine and stores it in your configuration folder.')
    .option('--base-url <url>', 'the URL of the service (default: https://localhost:8443, or :8444 with --sandbox)')
    .option('--sandbox', 'use the sandbox instead of production')
    .option(
      '--ca <file>',
      'a PEM file with the certificate authority to trust (for a service on this machine, it is found in ./data)',
    )
    .option('--email <address>', 'your email address (default: asks for it)')
    .option('--organization <id>', 'the organization to use, if you belong to several')
    .option('--token-stdin', 'store the API token from standard input instead of creating one')
    .option('--json', 'print JSON')
    .addHelpText('after', HELP)
    .action(login);
}

/** A user who needs it longer logs in again; an unused login expires. */
const LIFE_DAYS = 90;

const HELP = `
Asks for your email address and password, and for a code if two-factor authentication is on. Piped input is read line by line.
The token is never shown and expires after ${LIFE_DAYS} days. The token of your last login is revoked if possible; if not, the command
tells you which token still works. SEATHOLD_TOKEN in the environment takes precedence over the stored token.

Examples:
  $ seathold login
  $ seathold login --sandbox --email jane@example.com
  $ seathold login --base-url https://seathold.example.com --ca company-ca.pem
  $ pass show seathold/token | seathold login --token-stdin`;

/** The printed details of a login; never the token. */
interface Kept {
  credentials: Credentials;
  scopes: readonly string[] | null;
  refusedScopes: readonly string[];
  /** The replaced credentials, if their token still works. */
  leftAlive: Credentials | undefined;
}

/** Stores them, and returns the replaced ones. */
type Keep = (credentials: Credentials) => Promise<Credentials | undefined>;

async function login(options: LoginOptions): Promise<void> {
  const environment = environmentOf(options);
  const path = credentialsPath(process.env);
  // If the file cannot be read, say so before asking anything, not after.
  await readCredentials(path, environment);
  const place = await findPlace(options);
  if (place.ca !== null) {
    await trustAuthority(place.ca);
    if (options.ca === undefined) {
      process.stderr.write(`Trusting the certificate authority ${place.ca} for this login.\n`);
    }
  }
  const keep: Keep = (credentials) => keepCredentials(path, environment, credentials);
  const kept = await (options.tokenStdin === true
    ? keepGivenToken(options, place, keep)
    : keepNewToken(options, place, keep));
  tell(kept, path, options.json === true);
}

async function findPlace(options: LoginOptions): Promise<Place> {
  const environment = environmentOf(options);
  const named = options.baseUrl ?? process.env[baseUrlVariable(environment)];
  const baseUrl = normalizeBaseUrl(named ?? DEFAULT_BASE_URLS[environment]);
  // Absolute, because the next command may run in another folder.
  const ca = options.ca === undefined ? await findLocalAuthority(baseUrl, process.env) : resolve(options.ca);
  return { baseUrl, ca };
}

/** Stores a token that was created elsewhere, after a call has shown that it works. */
async function keepGivenToken(options: LoginOptions, { baseUrl, ca }: Place, keep: Keep): Promise<Kept> {
  if (options.email !== undefined || options.organization !== undefined) {
    throw new CommandFailure('invalid_argument', '--token-stdin cannot be combined with --email or --organization.');
  }
  const token = (await readInput('-')).toString('utf8').trim();
  if (token === '') {
    throw new CommandFailure('missing_input', 'Standard input contains no token.');
  }
  const client = new Seathold({ baseUrl, token });
  // Any token may make this call, but only those that may read the profile get their owner.
  await client.eventTypes.list({ limit: 1 });
  const user = await client.me.get().catch((error: unknown) => {
    if (error instanceof PermissionError) {
      return undefined;
    }
    throw error;
  });
  const organization = user === undefined ? null : { id: user.organization.id, name: user.organization.name };
  const credentials = { base_url: baseUrl, token, organization, ca, made: null };
  const before = await keep(credentials);
  return { credentials, scopes: null, refusedScopes: [], leftAlive: before?.token === token ? undefined : before };
}

/** Logs in, creates a token, stores it instead of the last one, and logs out again. */
async function keepNewToken(options: LoginOptions, { baseUrl, ca }: Place, keep: Keep): Promise<Kept> {
  const questions = createQuestions();
  const login = await logIn(questions, {
    baseUrl,
    email: options.email,
    organizationId: options.organization,
  }).finally(() => questions.close());
  const { client } = login;
  try {
    const user = await client.me.get();
    const { id, token, scopes, expires_at: expiresAt } = await makeToken(client);
    const credentials: Credentials = {
      base_url: baseUrl,
      token,
      organization: { id: user.organization.id, name: user.organization.name },
      ca,
      made: { token_id: id, email: user.email, ...(expiresAt === null ? {} : { expires_at: expiresAt }) },
    };
    let before: Credentials | undefined;
    try {
      before = await keep(credentials);
    } catch (error) {
      // No one could use it, and no one would revoke it.
      await client.apiTokens.delete(id).catch(() => undefined);
      throw error;
    }
    const isRevoked = before === undefined || (await revokeLast(login, before, credentials));
    return {
      credentials,
      scopes,
      refusedScopes: SCOPES.filter((scope) => !scopes.includes(scope)),
      leftAlive: isRevoked ? undefined : before,
    };
  } finally {
    await login.end();
  }
}

/** What the webhook commands need; events and endpoints are for admins. */
const SCOPES = ['read:org', 'admin:org', 'read:licenses'] as const;
const SCOPES_OF_EVERYBODY = ['read:org', 'read:licenses'] as const;

async function makeToken(client: Seathold): Promise<CreatedApiToken> {
  const name = `seathold on ${hostname().replaceAll(/[^\w.-]/g, '') || 'a machine'}`.slice(0, 100);
  const terms = { name, expires_at: new Date(Date.now() + LIFE_DAYS * 86_400_000).toISOString() };
  try {
    return await client.apiTokens.create({ ...terms, scopes: [...SCOPES] });
  } catch (error) {
    if (!(error instanceof PermissionError && error.has('forbidden'))) {
      throw error;
    }
    return client.apiTokens.create({ ...terms, scopes: [...SCOPES_OF_EVERYBODY] });
  }
}

/**
 * Revokes the token that the last login created here, because it is no longer needed. Returns false if it may still
 * work: it is for another URL or user, or was created elsewhere.
 */
async function revokeLast(
  login: Login,
  before: Credentials,
  { base_url: baseUrl, made }: Credentials,
): Promise<boolean> {
  if (before.made === null || before.organization === null || before.base_url !== baseUrl) {
    return false;
  }
  try {
    await login.actIn(before.organization.id).apiTokens.delete(before.made.token_id);
    return true;
  } catch (error) {
    // It was already revoked, or its owner left the organization, which ended it; another user would not find it
    // either.
    return error instanceof NotFoundError && before.made.email === made?.email;
  }
}

function tell({ credentials, scopes, refusedScopes, leftAlive }: Kept, path: string, asJson: boolean): void {
  const { base_url: baseUrl, organization, ca, made } = credentials;
  const value = {
    base_url: baseUrl,
    organization,
    ca,
    token_id: made?.token_id ?? null,
    expires_at: made?.expires_at ?? null,
    scopes,
    refused_scopes: refusedScopes,
    left_alive: leftAlive === undefined || hasExpired(leftAlive) ? null : nameToken(leftAlive),
    path,
  };
  const refusal =
    refusedScopes.length === 0
      ? []
      : [
          '',
          `Your role does not allow the scope ${refusedScopes.join(', ')}, so the token does not have it. Webhooks and events require the role admin.`,
        ];
  print(asJson, value, [
    ...columns([
      ['logged in at', baseUrl],
      [
        'organization',
        organization === null ? 'not visible to this token' : `${organization.name} (${organization.id})`,
      ],
      ...(scopes === null ? [] : [['scopes', scopes.join(', ')] as const]),
      ...(made?.expires_at === undefined ? [] : [['token expires', made.expires_at] as const]),
      ['stored in', path],
    ]),
    ...refusal,
    ...(value.left_alive === null ? [] : ['', warnOf(value.left_alive)]),
  ]);
}

/** A token that is no longer stored here but still works, to report to its owner. */
interface LeftAlive {
  token_id: string | null;
  email: string | null;
  base_url: string;
  organization: Credentials['organization'];
  expires_at: string | null;
}

function nameToken({ base_url, organization, made }: Credentials): LeftAlive {
  const { token_id = null, email = null, expires_at = null } = made ?? {};
  return { token_id, email, base_url, organization, expires_at };
}

function warnOf({ token_id: id, email, base_url: baseUrl, organization, expires_at: expiresAt }: LeftAlive): string {
  const name = id === null ? 'Your previous token for' : `Your previous token, ${id} of ${email} at`;
  const where = organization === null ? baseUrl : `${baseUrl}, in ${organization.name} (${organization.id}),`;
  const until = expiresAt === null ? '' : ` until ${expiresAt}`;
  return `${name} ${where} is no longer stored here but still works${until}. Revoke it where you manage API tokens.`;
}
