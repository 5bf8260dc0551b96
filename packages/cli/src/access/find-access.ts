import { Seathold, type SeatholdOptions } from '@seathold/client';
import { CommandFailure } from '../command-failure.ts';
import { type Credentials, credentialsPath, type Environment, hasExpired, readCredentials } from './credentials.ts';
import { DEFAULT_BASE_URLS, loginCommand } from './login-command.ts';
import { findLocalAuthority, trustAuthority } from './trust-authority.ts';

/** The URL of a service, and the certificate authority to trust. */
export interface Place {
  baseUrl: string;
  /** An absolute path, or null. */
  ca: string | null;
}

type Variables = Readonly<Record<string, string | undefined>>;

export function environmentOf(options: { sandbox?: boolean }): Environment {
  return options.sandbox === true ? 'sandbox' : 'production';
}

/** The URL from the environment variable; the server reads its own from the same ones. */
export function baseUrlVariable(environment: Environment): 'SEATHOLD_BASE_URL' | 'SEATHOLD_SANDBOX_URL' {
  return environment === 'sandbox' ? 'SEATHOLD_SANDBOX_URL' : 'SEATHOLD_BASE_URL';
}

/** Normalizes a URL, so that equal ones compare equal. */
export function normalizeBaseUrl(text: string): string {
  return URL.canParse(text) ? new URL(text).href.replace(/\/+$/, '') : text;
}

/**
 * A client with the token from the environment variables, or otherwise that of the last login. Throws `not_logged_in`
 * if there is neither.
 */
export async function createClient(
  environment: Environment,
  options: Pick<SeatholdOptions, 'fetch'> = {},
  variables: Variables = process.env,
): Promise<Seathold> {
  const { token, place } = await findAccess(environment, variables);
  if (place.ca !== null) {
    await trustAuthority(place.ca);
  }
  return new Seathold({ ...options, token, baseUrl: place.baseUrl });
}

async function findAccess(environment: Environment, variables: Variables): Promise<{ token: string; place: Place }> {
  const kept = await readCredentials(credentialsPath(variables), environment);
  const named = variables[baseUrlVariable(environment)];
  const baseUrl = normalizeBaseUrl(named ?? kept?.base_url ?? DEFAULT_BASE_URLS[environment]);
  // A stored token is only sent to the service that it was given for: a variable must not redirect it.
  const fitting = kept?.base_url === baseUrl ? kept : undefined;
  const token = variables.SEATHOLD_TOKEN || fitting?.token;
  if (fitting !== undefined && fitting.token === token && hasExpired(fitting)) {
    const advice = `log in again with \`${loginCommand(environment, baseUrl)}\``;
    throw new CommandFailure('token_expired', `The token of your login at ${baseUrl} has expired: ${advice}.`);
  }
  if (token === undefined) {
    throw new CommandFailure('not_logged_in', notLoggedIn(environment, baseUrl));
  }
  return { token, place: { baseUrl, ca: await findAuthority(baseUrl, fitting, variables) } };
}

async function findAuthority(
  baseUrl: string,
  kept: Credentials | undefined,
  variables: Variables,
): Promise<string | null> {
  return kept?.ca ?? findLocalAuthority(baseUrl, variables);
}

function notLoggedIn(environment: Environment, baseUrl: string): string {
  const command = loginCommand(environment, baseUrl);
  return `You are not logged in at ${baseUrl}: run \`${command}\`, or set SEATHOLD_TOKEN.`;
}
