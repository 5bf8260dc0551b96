import { deviceOf, type LoginDevice } from '../../auth/index.ts';
import type { Exchange } from '../../http/index.ts';

/** The ID and origin of a request, for the audit log; the library does not know them. */
export interface RequestOrigin extends LoginDevice {
  requestId: string;
}

const origins = new WeakMap<object, RequestOrigin>();

/** Records the origin of a request before it is passed to the library. */
export function noteOrigin({ request, requestId, clientAddress }: Exchange): void {
  origins.set(request, { requestId, ...deviceOf({ clientAddress, headers: request.headers }) });
}

/** The origin of a request that the library is processing. */
export function originOf(request: object | undefined): RequestOrigin {
  const origin = request === undefined ? undefined : origins.get(request);
  if (origin === undefined) {
    throw new Error('the library is busy with a request that was not given to it');
  }
  return origin;
}
