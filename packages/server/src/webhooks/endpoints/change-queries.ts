import { statement, wallTime } from '../../database/index.ts';

const KEY = { organizationId: 'text', endpointId: 'text' } as const;
/** A `Health`. */
const HEALTH = {
  inFlightLimit: 'integer',
  isSlow: 'boolean',
  failuresInRow: 'integer',
  failingSince: 'timestamptz | null',
  fastInRow: 'integer',
  isSilent: 'boolean',
} as const;

const setHealth = (health: Readonly<Record<keyof typeof HEALTH, string>>) =>
  `in_flight_limit = ${health.inFlightLimit}, is_cautious = ${health.isSlow}, failures_in_row = ${health.failuresInRow},
      failing_since = ${health.failingSince}, swift_in_row = ${health.fastInRow}, is_silent = ${health.isSilent}`;

/** Changes an endpoint, whose lock is held. */
export const updateEndpoint = statement({
  name: 'update_endpoint',
  parameters: { ...KEY, clockOffsetMs: 'bigint', url: 'text', events: 'text[]', description: 'text | null' },
  sql: ({ organizationId, endpointId, clockOffsetMs, url, events, description }) => `
    update webhook_endpoints set url = ${url}, events = ${events}, description = ${description},
      updated_at = ${wallTime(clockOffsetMs)}
    where organization_id = ${organizationId} and id = ${endpointId}`,
});

/** Gives an endpoint another destination and health; its lock is held. */
export const updateEndpointDestination = statement({
  name: 'move_endpoint_state',
  parameters: { ...KEY, destination: 'text', ...HEALTH },
  sql: ({ organizationId, endpointId, destination, ...health }) =>
    `update webhook_endpoint_states set destination = ${destination}, ${setHealth(health)}
    where organization_id = ${organizationId} and endpoint_id = ${endpointId}`,
});

/** Pauses an endpoint, whose lock is held: its schedule is no longer claimed, and a job holds waiting deliveries. */
export const updatePausedEndpoint = statement({
  name: 'pause_endpoint_state',
  parameters: KEY,
  sql: ({ organizationId, endpointId }) =>
    `update webhook_endpoint_states set status = 'paused', disabled_reason = null, must_hold = true
    where organization_id = ${organizationId} and endpoint_id = ${endpointId}`,
});

/**
 * Activates an endpoint with another health; its lock is held. Held deliveries stay held until they are replayed. Its
 * turn is set to now; the next claim determines the actual time.
 */
export const updateActivatedEndpoint = statement({
  name: 'activate_endpoint_state',
  parameters: { ...KEY, ...HEALTH },
  sql: ({ organizationId, endpointId, ...health }) =>
    `update webhook_endpoint_states set status = 'active', disabled_reason = null, must_hold = false,
      ${setHealth(health)}, turn_at = clock_timestamp()
    where organization_id = ${organizationId} and endpoint_id = ${endpointId}`,
});
