// Made by tools/generate.ts from the migrated schema; never edited.
import type { ColumnType, Generated } from 'kysely';

/** A time: read as a Date, written as a Date or ISO 8601 text. */
type Time = ColumnType<Date, Date | string, Date | string>;
/** JSON: read parsed, written as text. */
type Json = ColumnType<unknown, string | null, string | null>;

export interface ApiTokensTable {
  organization_id: string;
  id: string;
  user_id: string;
  name: string;
  prefix: string;
  scopes: string[];
  created_at: Time;
  expires_at: Time | null;
  revoked_at: Time | null;
  last_used_at: Time | null;
}

export interface BearerTokensTable {
  token_hash: Buffer;
  kind: string;
  user_id: string;
  organization_id: string;
  source_id: string;
  scopes: string[] | null;
  created_at: Time;
  expires_at: Time | null;
  revoked_at: Time | null;
}

export interface EventsTable {
  organization_id: string;
  id: string;
  type: string;
  created: Time;
  object: Json;
}

export interface IdempotencyKeysTable {
  organization_id: string;
  user_id: string;
  route: string;
  key: string;
  request_hash: Buffer;
  status: number;
  answer: Buffer;
  created_at: Time;
}

export interface InstallationTable {
  id: string;
  key_check: Buffer;
  has_demonstration: Generated<boolean>;
  created_at: Time;
}

export interface LicenseSeatCountsTable {
  organization_id: string;
  license_id: string;
  taken: Generated<number>;
}

export interface LicenseSigningKeysTable {
  id: string;
  public_key: string;
  private_key: Buffer;
  created_at: Time;
  retired_at: Time | null;
}

export interface LicensesTable {
  organization_id: string;
  id: string;
  key: string;
  product: string;
  max_seats: number;
  features: Json;
  state: string;
  expires_at: Time;
  renews: Generated<boolean>;
  heartbeat_interval_seconds: number | null;
  session_timeout_seconds: number | null;
  expiring_announced_for: Time | null;
  expired_announced_for: Time | null;
  created_at: Time;
  updated_at: Time;
}

export interface LoginSessionsTable {
  user_id: string;
  id: string;
  organization_id: string;
  created_at: Time;
  ends_at: Time;
  ended_at: Time | null;
}

export interface MembershipsTable {
  organization_id: string;
  user_id: string;
  role: string;
  created_at: Time;
}

export interface OrganizationsTable {
  id: string;
  name: string;
  slug: string;
  tier: Generated<string>;
  clock_offset_ms: Generated<number>;
  created_at: Time;
  updated_at: Time;
}

export interface RefreshTokensTable {
  token_hash: Buffer;
  user_id: string;
  login_session_id: string;
  created_at: Time;
  expires_at: Time;
  used_at: Time | null;
  answer: Buffer | null;
}

export interface SeatSessionsTable {
  organization_id: string;
  id: string;
  license_id: string;
  user_id: string;
  hardware_id: string;
  metadata: Json;
  started_at: Time;
  last_heartbeat: Time;
  ended_at: Time;
  status: string;
}

export interface SeatSlotsTable {
  organization_id: string;
  license_id: string;
  slot: number;
  session_id: string | null;
  user_id: string | null;
  hardware_id: string | null;
  metadata: Json;
  started_at: Time | null;
  last_heartbeat: Time | null;
  deadline: Time | null;
  reap_at: Generated<Time>;
  token_issued_at: Time | null;
  token_expires_at: Time | null;
}

export interface ServiceClockTable {
  id: string;
  alive_at: Time;
  away_ms: number;
}

export interface UsersTable {
  id: string;
  email: string;
  name: string;
  avatar_url: string | null;
  password_hash: string;
  failed_logins: Generated<number>;
  locked_until: Time | null;
  created_at: Time;
  updated_at: Time;
}

export interface Tables {
  api_tokens: ApiTokensTable;
  bearer_tokens: BearerTokensTable;
  events: EventsTable;
  idempotency_keys: IdempotencyKeysTable;
  installation: InstallationTable;
  license_seat_counts: LicenseSeatCountsTable;
  license_signing_keys: LicenseSigningKeysTable;
  licenses: LicensesTable;
  login_sessions: LoginSessionsTable;
  memberships: MembershipsTable;
  organizations: OrganizationsTable;
  refresh_tokens: RefreshTokensTable;
  seat_sessions: SeatSessionsTable;
  seat_slots: SeatSlotsTable;
  service_clock: ServiceClockTable;
  users: UsersTable;
}
