import type Provider from 'oidc-provider';
import { ApiError, type Exchange } from '../../http/index.ts';
import { findOauthClient, type OauthClient } from '../apps/find-client.ts';
import type { OauthTools } from '../oauth-tools.ts';
import type { Destination } from '../pages/consent-page.ts';
import { isFromAnotherSite } from './same-site.ts';

/** A pending authorization, for its pages. */
export interface PendingInteraction {
  interaction: Awaited<ReturnType<Provider['interactionDetails']>>;
  client: OauthClient;
  destination: Destination;
  /** The path of its pages, without a slash at the end. */
  action: string;
}

/** Finds the authorization of a page. Throws if it has expired or belongs to another browser. */
export async function requireInteraction(
  tools: Pick<OauthTools, 'database' | 'authUrl'>,
  provider: Provider,
  exchange: Exchange,
): Promise<PendingInteraction> {
  if (exchange.request.method === 'POST' && isFromAnotherSite(exchange.request.headers, tools.authUrl)) {
    throw interactionExpired();
  }
  const interaction = await requireOwnInteraction(provider, exchange);
  const uid = uidOf(tools.authUrl, exchange);
  const { client_id: clientId } = interaction.params;
  const client = typeof clientId === 'string' ? await findOauthClient(tools.database, clientId) : undefined;
  const destination = interaction.uid === uid ? await findDestination(provider, interaction) : undefined;
  if (client === undefined || destination === undefined) {
    throw interactionExpired();
  }
  return { interaction, client, destination, action: `${new URL(tools.authUrl).pathname}/interaction/${uid}` };
}

/** Where the app gets access; undefined for a device whose code has expired. */
async function findDestination(
  provider: Provider,
  { params, deviceCode }: PendingInteraction['interaction'],
): Promise<Destination | undefined> {
  if (deviceCode !== undefined) {
    const userCode = (await provider.DeviceCode.find(deviceCode))?.userCode;
    return userCode === undefined
      ? undefined
      : { kind: 'device', userCode: `${userCode.slice(0, 4)}-${userCode.slice(4)}` };
  }
  const { redirect_uri: redirectUri } = params;
  return typeof redirectUri === 'string' ? { kind: 'address', redirectUri } : undefined;
}

/** The same error for everything that does not or no longer belong to this browser. */
export function interactionExpired(): ApiError {
  return new ApiError('interaction_expired', EXPIRED, 'This page has expired. Go back to the app and start again.');
}

const EXPIRED = { status: 400, when: 'This page has expired or belongs to another browser.' };

async function requireOwnInteraction(
  provider: Provider,
  exchange: Exchange,
): Promise<PendingInteraction['interaction']> {
  try {
    return await provider.interactionDetails(exchange.request, exchange.response);
  } catch (error) {
    // By name, because importing the class would load the library at every start.
    throw error instanceof Error && error.name === 'SessionNotFound' ? interactionExpired() : error;
  }
}

/** The part of the path that names the interaction: the cookie is bound to the same path, and both must agree. */
function uidOf(authUrl: string, { request }: Exchange): string | undefined {
  const [path = ''] = (request.url ?? '').split('?');
  return path.slice(new URL(authUrl).pathname.length).split('/')[2];
}
