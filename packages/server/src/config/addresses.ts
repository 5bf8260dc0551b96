import type { Config } from './load-config.ts';

/** The public addresses of an environment: of its API, and of its authorization server with the pages. */
export function addressesOf(
  config: Config,
  name: 'production' | 'sandbox',
): { readonly baseUrl: string; readonly authUrl: string } {
  const isProduction = name === 'production';
  const port = isProduction ? config.port : config.sandboxPort;
  const baseUrl = (isProduction ? config.baseUrl : config.sandboxUrl) ?? `https://localhost:${port}`;
  return { baseUrl, authUrl: (isProduction ? config.authUrl : undefined) ?? `${baseUrl}/oauth` };
}
