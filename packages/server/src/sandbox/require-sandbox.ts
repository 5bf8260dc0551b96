import { httpError } from '../http/index.ts';

/** Dependencies that exist only in the sandbox. Throws not_found in production. */
export function requireSandbox<T>(tools: T | undefined): T {
  if (tools === undefined) {
    throw httpError('not_found', 'This is available only in the sandbox.', { details: { resource: 'route' } });
  }
  return tools;
}
