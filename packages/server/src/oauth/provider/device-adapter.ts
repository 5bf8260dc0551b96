import { createHmac } from 'node:crypto';
import Provider, { type Adapter, type AdapterPayload, errors } from 'oidc-provider';
import { hashToken } from '../../security/index.ts';
import { lockLiveGrant } from '../grants/queries.ts';
import type { OauthTools } from '../oauth-tools.ts';
import {
  findDeviceCode,
  findDeviceCodeByUserCode,
  insertDeviceCode,
  updateDeviceAllowed,
  updateDeviceConsumed,
  updateDeviceDenied,
  updateDevicePolled,
} from './device-queries.ts';
import { decryptPayload, encryptPayload } from './encrypted-payload.ts';
import { DEVICE_CODE_MEMORY_SECONDS, DEVICE_CODE_SECONDS, DEVICE_POLL_SECONDS } from './lifetimes.ts';
import { notePresented, usedAtOnce } from './presented-token.ts';
import { waitedMs } from './request-age.ts';

const MODEL = 'DeviceCode';

type DeviceTools = Pick<OauthTools, 'database' | 'masterKey'>;

/**
 * Creates the store for device codes (RFC 8628): by the hash of the device code, which the device polls with, and of
 * the user code, which its user types. In a browser the device code is not known, so its hash represents it there.
 */
export function createDeviceAdapter(tools: DeviceTools): Adapter {
  const { database, masterKey } = tools;
  return {
    upsert: (id, payload) => writeDeviceCode(tools, id, payload),
    async find(id) {
      const isPoll = Provider.ctx?.oidc.route === 'token';
      const idHash = isPoll ? hashToken(id) : hashOf(id);
      if (isPoll && (await updateDevicePolled(database, { idHash }))?.is_early === true) {
        throw new errors.SlowDown();
      }
      const row = await findDeviceCode(database, { idHash, waitedMs: Math.ceil(waitedMs(Provider.ctx?.req)) });
      if (row === undefined) {
        return undefined;
      }
      if (isPoll && row.is_just_consumed) {
        throw usedAtOnce();
      }
      notePresented({ model: MODEL, idHash, familyHash: idHash });
      return decryptPayload(masterKey, MODEL, idHash, id, row);
    },
    async findByUserCode(userCode) {
      const row = await findDeviceCodeByUserCode(database, { userCodeHash: hashUserCode(tools, userCode) });
      return row === undefined
        ? undefined
        : decryptPayload(masterKey, MODEL, row.id_hash, STAND_IN + row.id_hash.toString('hex'), row);
    },
    async consume(id) {
      if ((await updateDeviceConsumed(database, { idHash: hashToken(id) })) === 0) {
        throw usedAtOnce();
      }
    },
    findByUid: async () => undefined,
    // All models of a family end together; see token-adapter.ts.
    revokeByGrantId: async () => undefined,
    destroy: async () => undefined,
  };
}

async function writeDeviceCode(tools: DeviceTools, id: string, payload: AdapterPayload): Promise<void> {
  const { database, masterKey } = tools;
  const idHash = hashOf(id);
  const sealed = encryptPayload(masterKey, MODEL, idHash, payload);
  const { accountId, grantId, error, inFlight, userCode = '' } = payload;
  if (accountId !== undefined && grantId !== undefined) {
    await allow(tools, { idHash, payload: sealed, userId: accountId, grantId });
  } else if (error !== undefined) {
    // After an internal error the user may try again; the library would make the device give up.
    await (error === 'server_error' ? undefined : updateDeviceDenied(database, { idHash, payload: sealed }));
  } else if (inFlight !== true) {
    const code = { idHash, userCodeHash: hashUserCode(tools, userCode), payload: sealed };
    const terms = {
      ttlSeconds: DEVICE_CODE_SECONDS,
      memorySeconds: DEVICE_CODE_MEMORY_SECONDS,
      pollSeconds: DEVICE_POLL_SECONDS,
    };
    if ((await insertDeviceCode(database, { ...code, ...terms })) === 0) {
      throw new errors.TemporarilyUnavailable('no free user code was found');
    }
  }
  // The library also marks a code whose user has begun. We do not, so that they can begin again in another browser.
}

/** Locks the grant, so that its end either comes first and is noticed, or also finds and ends the device code. */
async function allow(
  { database }: DeviceTools,
  code: { idHash: Buffer; payload: Buffer; userId: string; grantId: string },
): Promise<void> {
  const isAllowed = await database.transaction(async (tx) => {
    const grant = await lockLiveGrant(tx, { grantId: code.grantId });
    return grant?.user_id === code.userId && (await updateDeviceAllowed(tx, code)) > 0;
  });
  if (!isAllowed) {
    throw new errors.InvalidRequest('the code was used by another request or has expired');
  }
}

/**
 * Represents a device code if only its hash is known. It cannot be used as one, because the token endpoint hashes it
 * again.
 */
const STAND_IN = 'device-code-hash:';

function hashOf(id: string): Buffer {
  return id.startsWith(STAND_IN) ? Buffer.from(id.slice(STAND_IN.length), 'hex') : hashToken(id);
}

/** A user code is too short for a plain hash, which could be brute-forced in seconds. */
function hashUserCode({ masterKey }: DeviceTools, userCode: string): Buffer {
  return createHmac('sha256', masterKey.deriveKey('oauth-user-code')).update(userCode).digest();
}
