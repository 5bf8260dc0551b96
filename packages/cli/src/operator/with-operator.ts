import { userInfo } from 'node:os';
import { resolve } from 'node:path';
import { ConnectionError, Seathold, type SeatholdOptions } from '@seathold/client';
import type { Installation } from '@seathold/server/operator/connect-installation';
import { createOperatorClient, findOperatorUrl } from '../access/find-operator-access.ts';
import { findLocalAuthority, trustAuthority } from '../access/trust-authority.ts';
import { CommandFailure } from '../command-failure.ts';
import { withInstallation } from '../with-installation.ts';
import type { OperatorOptions } from './options.ts';

type Work = (client: Seathold) => Promise<void>;

/**
 * Calls the operator API: at the given URL, or otherwise on this server with a token that the command creates and
 * revokes at its end. Both use the API, so access, audit log and events are the same.
 */
export async function withOperator(
  options: OperatorOptions,
  work: Work,
  client: Pick<SeatholdOptions, 'fetch'> = {},
): Promise<void> {
  const url = findOperatorUrl(options);
  if (url !== undefined) {
    await work(await createOperatorClient(url, options, client));
    return;
  }
  if (options.tokenStdin === true) {
    throw new CommandFailure('invalid_argument', '--token-stdin needs --url or SEATHOLD_URL.');
  }
  await withInstallation(tokens, options.sandbox === true, async (operator, installation) => {
    const baseUrl = operator.operatorGetBaseUrl(installation, options.sandbox === true ? 'sandbox' : 'production');
    const ca = options.caFile === undefined ? await findLocalAuthority(baseUrl, process.env) : resolve(options.caFile);
    if (ca !== null) {
      await trustAuthority(ca);
    }
    await workWithOwnToken(operator, installation, (token) => work(new Seathold({ ...client, baseUrl, token }))).catch(
      (error: unknown) => {
        throw error instanceof ConnectionError && !error.wasSent ? notRunning(baseUrl, error) : error;
      },
    );
  });
}

function notRunning(baseUrl: string, { message }: ConnectionError): CommandFailure {
  const advice = 'This command needs a running service. Start it, or specify another one with --url';
  return new CommandFailure('connection_failed', `Cannot connect to ${baseUrl}. ${advice}. (${message})`);
}

const tokens = () => import('@seathold/server/operator/manage-tokens');

/** If the command is killed, its token expires by itself. */
const LIFE_MS = 15 * 60_000;
/** A command that watches outlives its token. */
const RENEWAL_MS = LIFE_MS - 60_000;

async function workWithOwnToken(
  operator: Awaited<ReturnType<typeof tokens>>,
  installation: Installation,
  work: (token: () => Promise<string>) => Promise<void>,
): Promise<void> {
  const made: Array<{ id: string; token: string; at: number }> = [];
  const name = `Command on the server by ${userInfo().username}`.slice(0, 100);
  const getToken = async () => {
    const last = made.at(-1);
    if (last !== undefined && Date.now() - last.at < RENEWAL_MS) {
      return last.token;
    }
    const at = Date.now();
    const expiresAt = new Date(at + LIFE_MS).toISOString();
    const { id, token } = await operator.operatorCreateToken(installation, { name, role: 'owner', expiresAt });
    made.push({ id, token, at });
    return token;
  };
  try {
    await work(getToken);
  } finally {
    for (const { id } of made) {
      await operator.operatorRevokeToken(installation, id);
    }
  }
}
