import { deviceOf, type LoginDevice } from '../../auth/index.ts';
import type { Exchange } from '../../http/index.ts';

/** Which request it is, and from where it came: what the library does not know of and the audit log tells. */
export interface RequestOrigin extends LoginDevice {
  requestId: string;
}

const origins = new WeakMap<object, RequestOrigin>();

/** Notes from where a request came that is about to be given to the library. */
export function noteOrigin({ request, requestId, clientAddress }: Exchange): void {
  origins.set(request, { requestId, ...deviceOf({ clientAddress, headers: request.headers }) });
}

/** From where a request came that the library is busy with. */
export function originOf(request: object | undefined): RequestOrigin {
  const origin = request === undefined ? undefined : origins.get(request);
  if (origin === undefined) {
    throw new Error('the library is busy with a request that was not given to it');
  }
  return origin;
}
