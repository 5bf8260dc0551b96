import type { PolicyOverrides } from '../../billing/index.ts';
import type { LicensingSettings } from '../licensing-tools.ts';

/** What holds for a license, field by field. Times in seconds. */
export type Policy = Required<PolicyOverrides> & {
  /** The ids of the users who may take its seats; null for every member. Only a license itself can set it. */
  allowed_users: readonly string[] | null;
};

/** What a license, its plan and its product set. */
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
  return { ...defaultPolicy(maxSeats, settings), ...product, ...plan, ...license, allowed_users: allowedUsers };
}

function defaultPolicy(maxSeats: number, settings: HeartbeatSettings): Required<PolicyOverrides> {
  return {
    activation: 'account',
    max_offline_seconds: 0,
    min_online_seats: 0,
    max_activations: 10 * maxSeats,
    node_locked: false,
    heartbeat_interval: settings.heartbeatIntervalSeconds,
    session_timeout: settings.seatTimeoutSeconds,
  };
}
