import type { Environment } from './credentials.ts';

export const DEFAULT_BASE_URLS: Readonly<Record<Environment, string>> = {
  production: 'https://localhost:8443',
  sandbox: 'https://localhost:8444',
};

/** The command that logs in there. */
export function loginCommand(environment: Environment, baseUrl: string): string {
  const sandbox = environment === 'sandbox' ? ' --sandbox' : '';
  const address = baseUrl === DEFAULT_BASE_URLS[environment] ? '' : ` --base-url ${baseUrl}`;
  return `seathold login${sandbox}${address}`;
}
