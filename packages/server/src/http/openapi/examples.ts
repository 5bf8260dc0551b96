import type { TSchema } from 'typebox';
import type { ErrorDefinition } from '../errors.ts';
import type { Route } from '../route.ts';
import { type Components, titleOf } from './components.ts';

const TIME = '2026-01-31T12:00:00.000Z';
export const META_EXAMPLE = { request_id: 'req_01kg9xm2m8xf3q9wz5r7e6b4c1', timestamp: TIME };
export const PAGINATION_EXAMPLE = { has_more: false, next_cursor: null };

/** The example of a route's success, unless its schema has one. */
export function successExample({ example, list, response }: Route, components: Components): { example?: unknown } {
  const data = example?.data;
  const [item] = list !== undefined && Array.isArray(data) ? data : [data];
  const title = titleOf(response);
  if (item === undefined) {
    return {};
  }
  if (title === undefined) {
    return { example: data };
  }
  components.showExample(title, item);
  return {};
}

/** The complete response of an error, the same for all routes, so that they can share it. */
export function errorExample(code: string, definition: ErrorDefinition): unknown {
  const told = ERRORS[code] ?? {};
  const details = definition.details === undefined ? undefined : (told.details ?? exampleOf(definition.details));
  const error = { code, message: told.message ?? definition.when, ...(details === undefined ? {} : { details }) };
  return { error, meta: META_EXAMPLE };
}

interface Told {
  message?: string;
  details?: unknown;
}

/** Examples of errors for which generated ones are not clear enough. */
const ERRORS: Readonly<Record<string, Told>> = {
  invalid_request: { message: 'name is required.', details: { field: 'name', reason: 'required' } },
  invalid_token: {
    message:
      'The token is invalid. It may have been revoked, or it belongs to the other environment (production or sandbox).',
  },
  invalid_credentials: { message: 'The email address, password, or code is incorrect.' },
  token_expired: { message: 'The token has expired. Refresh it or create a new one.' },
  insufficient_scope: {
    message: 'The token does not have the required scope: read:profile.',
    details: { required_scope: 'read:profile' },
  },
  forbidden: { message: 'You need the admin role to do this.', details: { required_role: 'admin' } },
  https_required: { message: 'HTTPS is required. Use an https:// URL.' },
  // The only resource that any route with a token may not find: the organization of X-Organization-Id.
  not_found: { message: 'No such organization.', details: { resource: 'organization' } },
  already_exists: { message: 'An account with this email address already exists.', details: { field: 'email' } },
  no_seats_available: { details: { max_seats: 10, active_seats: 10 } },
  license_expired: { message: 'The license has expired.' },
  invalid_hardware_id: {
    message: 'hardware_id must match hw_[a-z0-9]{32}.',
    details: { expected_format: 'hw_[a-z0-9]{32}' },
  },
  session_timeout: {
    message: 'The session timed out because it missed its heartbeats, and its seat was freed. Acquire a new one.',
    details: { last_heartbeat: '2026-01-31T11:57:00.000Z', timeout_at: TIME },
  },
  payment_failed: {
    message: 'The card was declined (insufficient_funds). Use a different card.',
    details: { decline_code: 'insufficient_funds' },
  },
  payment_method_in_use: { details: { subscription_ids: ['sub_01kagt2m8xf3q9wz5r7e6b4c1r'] } },
  session_released: { message: 'The session was already released.' },
  idempotency_key_reused: { message: 'This Idempotency-Key was already used for a different request.' },
  payload_too_large: { details: { max_bytes: 262_144 } },
  validation_failed: {
    message: 'This password is too common. Choose another one.',
    details: { field: 'password', reason: 'common' },
  },
  rate_limit_exceeded: {
    message: 'Too many requests. Wait for the time in Retry-After.',
    details: { limit: 60, reset_at: '2026-01-31T12:00:30.000Z', retry_after: 30 },
  },
  service_unavailable: { message: 'The database is temporarily unavailable. Try again in a moment.' },
};

/** A value that the schema of some details accepts. */
function exampleOf(schema: TSchema): unknown {
  if ('const' in schema) {
    return schema.const;
  }
  if ('enum' in schema && Array.isArray(schema.enum)) {
    return schema.enum[0];
  }
  switch ('type' in schema ? schema.type : undefined) {
    case 'object':
      return exampleOfProperties(schema);
    case 'array':
      return 'items' in schema ? [exampleOf(Object(schema.items))] : [];
    case 'integer':
    case 'number':
      return 1;
    case 'boolean':
      return true;
    case 'string':
      return 'format' in schema && schema.format === 'date-time' ? TIME : '…';
    default:
      return null;
  }
}

function exampleOfProperties(schema: TSchema): unknown {
  const properties = 'properties' in schema ? Object(schema.properties) : {};
  return Object.fromEntries(Object.entries<TSchema>(properties).map(([name, each]) => [name, exampleOf(each)]));
}
