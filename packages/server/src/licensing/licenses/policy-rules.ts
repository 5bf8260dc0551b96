import type { PolicyOverrides } from '../../billing/index.ts';
import type { LicensingSettings } from '../licensing-tools.ts';

/** The effective policy of a license. Times in seconds. */
export type Policy = Required<PolicyOverrides> & {
  /** The IDs of the users who may take its seats; null for every member. Only a license itself can set it. */
  allowed_users: readonly string[] | null;
};

/** The policies set on a license, its plan and its product. */
export interface PolicyLevels {
  license: PolicyOverrides;
  plan: PolicyOverrides;
  product: PolicyOverrides;
}

type HeartbeatSettings = Pick<LicensingSettings, 'heartbeatIntervalSeconds' | 'seatTimeoutSeconds'>;

/** The nearest one that sets a field wins: the license, then its plan, then its product, then the default. */
export function resolvePolicy(
  { license, plan, product }: PolicyLevels,
  allowedUsers: readonly string[] | null,
  maxSeats: number,
  settings: HeartbeatSettings,
): Policy {
  const nearest = { ...product, ...plan, ...license };
  return {
    ...defaultPolicy(settings),
    ...nearest,
    max_activations: mostActivations(nearest.max_activations ?? null, maxSeats, nearest.node_locked ?? false),
    allowed_users: allowedUsers,
  };
}

/**
 * The maximum number of machines of a license. A node-locked license has one seat per machine, so never more machines
 * than seats.
 */
export function mostActivations(given: number | null, maxSeats: number, isNodeLocked: boolean): number {
  const allowed = given ?? ACTIVATIONS_PER_SEAT * maxSeats;
  return isNodeLocked ? Math.min(allowed, maxSeats) : allowed;
}

const ACTIVATIONS_PER_SEAT = 10;

function defaultPolicy(settings: HeartbeatSettings): Required<Omit<PolicyOverrides, 'max_activations'>> {
  return {
    activation: 'account',
    max_offline_seconds: 0,
    min_online_seats: 0,
    node_locked: false,
    heartbeat_interval: settings.heartbeatIntervalSeconds,
    session_timeout: settings.seatTimeoutSeconds,
  };
}
