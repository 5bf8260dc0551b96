// Made by tools/generate.ts from openapi.json; never edited.

export interface AcquireSeatBody {
  license_key: string;
  /** hw_[a-z0-9]{32}, chosen by the client. */
  hardware_id: string;
  /** Anything the client wants to find again in the session; at most 50 keys and 8 KiB of JSON. */
  metadata?: Record<string, unknown>;
}

export interface AcquiredSeat {
  session_id: string;
  /** A JWT signed with RS256; check it offline with the public key. */
  license_token: string;
  /** The token's expiry. */
  expires_at: string;
  /** Seconds between heartbeats. */
  heartbeat_interval: number;
  /** What the license allows: ai_assistance, cloud_workstations, team_collaboration, priority_support. */
  features: Record<string, boolean>;
}

export interface ApiToken {
  id: string;
  name: string;
  /** The first characters of the token, to recognise it by. */
  prefix: string;
  scopes: Array<
    | 'read:profile'
    | 'write:profile'
    | 'read:projects'
    | 'write:projects'
    | 'read:org'
    | 'admin:org'
    | 'read:licenses'
    | 'manage:licenses'
  >;
  created_at: string;
  expires_at: string | null;
  /** True to the minute. */
  last_used_at: string | null;
}

export interface CreateApiTokenBody {
  name: string;
  scopes: Array<
    | 'read:profile'
    | 'write:profile'
    | 'read:projects'
    | 'write:projects'
    | 'read:org'
    | 'admin:org'
    | 'read:licenses'
    | 'manage:licenses'
  >;
  /** When the token ends; null, or left out: never. */
  expires_at?: string | null;
}

export interface CreatedApiToken {
  id: string;
  name: string;
  /** The first characters of the token, to recognise it by. */
  prefix: string;
  scopes: Array<
    | 'read:profile'
    | 'write:profile'
    | 'read:projects'
    | 'write:projects'
    | 'read:org'
    | 'admin:org'
    | 'read:licenses'
    | 'manage:licenses'
  >;
  created_at: string;
  expires_at: string | null;
  /** True to the minute. */
  last_used_at: string | null;
  /** The secret. It is shown this once; only its hash is kept. */
  token: string;
}

export interface Event {
  /** Unique per event; use it to deduplicate. */
  id: string;
  type: string;
  created: string;
  data: {
    object: Record<string, unknown>;
  };
  organization_id: string;
}

export interface EventType {
  type: string;
  description: string;
  /** JSON Schema of data.object. */
  schema: Record<string, unknown>;
  example: Record<string, unknown>;
}

export interface Heartbeat {
  session_id: string;
  status: 'active';
  /** ISO 8601, UTC, milliseconds. */
  next_heartbeat_due: string;
  /** Fresh, when less than half of the last one is left. */
  license_token?: string;
  /** ISO 8601, UTC, milliseconds. */
  expires_at?: string;
}

export interface HeartbeatSeatBody {
  session_id: string;
}

export interface JsonWebKeySet {
  keys: Array<Record<string, unknown>>;
}

export interface License {
  id: string;
  /** Four groups of five characters. */
  key: string;
  product: string;
  /** Most sessions at one time. */
  max_seats: number;
  active_seats: number;
  status: 'active' | 'suspended' | 'expired' | 'revoked';
  /** ISO 8601, UTC, milliseconds. */
  expires_at: string;
  /** ISO 8601, UTC, milliseconds. */
  created_at: string;
}

export interface LicenseDetail {
  id: string;
  /** Four groups of five characters. */
  key: string;
  product: string;
  /** Most sessions at one time. */
  max_seats: number;
  active_seats: number;
  status: 'active' | 'suspended' | 'expired' | 'revoked';
  /** ISO 8601, UTC, milliseconds. */
  expires_at: string;
  /** ISO 8601, UTC, milliseconds. */
  created_at: string;
  available_seats: number;
  /** What the license allows: ai_assistance, cloud_workstations, team_collaboration, priority_support. */
  features: Record<string, boolean>;
  /** The active ones, newest first, at most 100. */
  sessions: LicenseSession[];
}

export interface LicensePublicKey {
  algorithm: 'RS256';
  key_id: string;
  /** SPKI, PEM. */
  public_key: string;
  jwk: Record<string, unknown>;
  issuer: string;
  audience: string;
}

export interface LicenseSession {
  id: string;
  user_id: string;
  /** The machine, as the client names it. */
  hardware_id: string;
  /** ISO 8601, UTC, milliseconds. */
  started_at: string;
  /** ISO 8601, UTC, milliseconds. */
  last_heartbeat: string;
}

export interface LicenseSessionRecord {
  id: string;
  user_id: string;
  /** The machine, as the client names it. */
  hardware_id: string;
  /** ISO 8601, UTC, milliseconds. */
  started_at: string;
  /** ISO 8601, UTC, milliseconds. */
  last_heartbeat: string;
  license_id: string;
  status: 'active' | 'released' | 'timed_out';
  ended_at: string | null;
  metadata: Record<string, unknown> | null;
}

export interface LoginBody {
  /** An e-mail address. Spaces around it and capital letters make no difference. */
  email: string;
  password: string;
}

export interface LoginResult {
  user: UserSummary;
  access_token: string;
  refresh_token: string;
  /** When the access token expires. */
  expires_at: string;
}

export interface LogoutData {
  status: 'logged_out';
}

export interface RefreshBody {
  refresh_token: string;
}

export interface RegisterBody {
  /** An e-mail address. Spaces around it and capital letters make no difference. */
  email: string;
  /** Not one of the common ones, nor the name or the address itself. */
  password: string;
  name: string;
}

export interface ReleaseSeatBody {
  session_id: string;
}

export interface ReleasedSeat {
  session_id: string;
  status: 'released';
  /** ISO 8601, UTC, milliseconds. */
  released_at: string;
}

export interface SessionTokens {
  access_token: string;
  refresh_token: string;
  /** When the access token expires. */
  expires_at: string;
}

export interface User {
  id: string;
  email: string;
  name: string;
  avatar_url: string | null;
  created_at: string;
  organization: {
    id: string;
    name: string;
    role: 'member' | 'billing' | 'admin';
  };
}

export interface UserSummary {
  id: string;
  email: string;
  name: string;
}

/** Every error code, its status and the shape of its details. */
export interface ApiErrors {
  /** A unique thing exists already. */
  already_exists: {
    status: 409;
    details: {
      field: string;
    };
  };
  /** The role is too low, or another kind of token is needed. */
  forbidden: {
    status: 403;
    details: {
      required_role?: string;
      required_token?: string;
    };
  };
  /** The request line and headers are over 16 KiB. */
  headers_too_large: {
    status: 431;
  };
  /** The request came over plain HTTP. */
  https_required: {
    status: 403;
  };
  /** The first request with this Idempotency-Key is still running. */
  idempotency_in_progress: {
    status: 409;
  };
  /** The Idempotency-Key was used for another request. */
  idempotency_key_reused: {
    status: 422;
  };
  /** The token lacks a scope; the message names it. */
  insufficient_scope: {
    status: 403;
    details: {
      required_scope: string;
    };
  };
  /** A fault of the service; the request id finds it in the log. */
  internal_error: {
    status: 500;
  };
  /** The e-mail address or the password is wrong, or the account is locked. */
  invalid_credentials: {
    status: 401;
  };
  /** hardware_id is not hw_ followed by 32 characters of a-z and 0-9. */
  invalid_hardware_id: {
    status: 422;
    details: {
      expected_format: string;
    };
  };
  /** Malformed JSON, or a missing, mistyped, out-of-range or unknown field or query parameter. */
  invalid_request: {
    status: 400;
    details: {
      field: string;
      reason: 'required' | 'type' | 'format' | 'min' | 'max' | 'length' | 'enum' | 'unknown' | 'malformed';
    };
  };
  /** No token, or one that is unknown, revoked or of the other environment. */
  invalid_token: {
    status: 401;
  };
  /** Acquire or heartbeat on a license past its expiry. */
  license_expired: {
    status: 403;
    details: {
      expired_at: string;
    };
  };
  /** The operator revoked the license. */
  license_revoked: {
    status: 403;
  };
  /** The operator suspended the license. */
  license_suspended: {
    status: 403;
  };
  /** Every seat of the license is taken. */
  no_seats_available: {
    status: 409;
    details: {
      max_seats: number;
      active_seats: number;
    };
  };
  /** No such thing in this organization, or an unknown route. */
  not_found: {
    status: 404;
    details: {
      resource: string;
    };
  };
  /** The body is over 256 KiB. */
  payload_too_large: {
    status: 413;
    details: {
      max_bytes: number;
    };
  };
  /** A rate limit is exceeded; see Retry-After. */
  rate_limit_exceeded: {
    status: 429;
    details: {
      limit: number;
      reset_at: string;
      retry_after: number;
    };
  };
  /** The request did not arrive in time. */
  request_timeout: {
    status: 408;
  };
  /** The database is away, or the server drains; see Retry-After. */
  service_unavailable: {
    status: 503;
  };
  /** Heartbeat of a session that was released. */
  session_released: {
    status: 409;
    details: {
      released_at: string;
    };
  };
  /** The session missed its heartbeats and lost its seat. */
  session_timeout: {
    status: 409;
    details: {
      last_heartbeat: string;
      timeout_at: string;
    };
  };
  /** The token is past its expiry. */
  token_expired: {
    status: 401;
    details: {
      expired_at: string;
    };
  };
  /** The body is not application/json. */
  unsupported_media_type: {
    status: 415;
  };
  /** Well-formed, but a business rule refuses it. */
  validation_failed: {
    status: 422;
    details: {
      field: string;
      reason: string;
    };
  };
}

export type ErrorCode = keyof ApiErrors;

/** The codes that every operation can answer. */
export type CommonErrorCode =
  | 'headers_too_large'
  | 'https_required'
  | 'internal_error'
  | 'invalid_request'
  | 'rate_limit_exceeded'
  | 'request_timeout'
  | 'service_unavailable';

/** The codes that every operation which needs a token can answer besides. */
export type TokenErrorCode = 'forbidden' | 'insufficient_scope' | 'invalid_token' | 'not_found' | 'token_expired';

/** Every operation: how it is called, what it takes, what `data` it answers, and with which codes it refuses. */
export interface Operations {
  /**
   * Register a user. Makes the user and an organization named after them, of which they are the admin, and logs them
   * in. Needs no token.
   */
  register: {
    method: 'POST';
    path: '/v1/auth/register';
    body: RegisterBody;
    data: LoginResult;
    errors:
      | CommonErrorCode
      | 'already_exists'
      | 'payload_too_large'
      | 'unsupported_media_type'
      | 'validation_failed';
  };

  /**
   * Log in. Ten wrong passwords in a row lock the account for 15 minutes, during which the right one is refused like a
   * wrong one. Needs no token.
   */
  login: {
    method: 'POST';
    path: '/v1/auth/login';
    body: LoginBody;
    data: LoginResult;
    errors:
      | CommonErrorCode
      | 'invalid_credentials'
      | 'forbidden'
      | 'payload_too_large'
      | 'unsupported_media_type';
  };

  /**
   * Exchange a refresh token. The refresh token is used up by this. For 10 seconds it gets the identical answer again,
   * should the first be lost; used later than that, it ends the whole login. Needs no token.
   */
  refresh: {
    method: 'POST';
    path: '/v1/auth/refresh';
    body: RefreshBody;
    data: SessionTokens;
    errors: CommonErrorCode | 'invalid_token' | 'payload_too_large' | 'unsupported_media_type';
  };

  /**
   * Log out. Ends the access token of the request, its refresh token, and all others of the same login at once. Any
   * scope, role `member` or higher, session token only.
   */
  logout: {
    method: 'POST';
    path: '/v1/auth/logout';
    data: LogoutData;
    errors:
      | CommonErrorCode
      | TokenErrorCode
      | 'idempotency_in_progress'
      | 'payload_too_large'
      | 'unsupported_media_type'
      | 'idempotency_key_reused';
  };

  /**
   * Get the user of the token. With the organization that the request acts in, and the role in it. Scope
   * `read:profile`, role `member` or higher.
   */
  getCurrentUser: {
    method: 'GET';
    path: '/v1/auth/me';
    data: User;
    errors: CommonErrorCode | TokenErrorCode;
  };

  /**
   * Get the user of the token. With the organization that the request acts in, and the role in it. Scope
   * `read:profile`, role `member` or higher.
   */
  getMe: {
    method: 'GET';
    path: '/v1/me';
    data: User;
    errors: CommonErrorCode | TokenErrorCode;
  };

  /**
   * Create an API token. A long-lived token for servers, the command line and CI. It acts in the organization of the
   * request, with the scopes given and never more than the present role of its owner allows. Scope `write:profile`,
   * role `member` or higher, session token only.
   */
  createApiToken: {
    method: 'POST';
    path: '/v1/api-tokens';
    body: CreateApiTokenBody;
    data: CreatedApiToken;
    errors:
      | CommonErrorCode
      | TokenErrorCode
      | 'idempotency_in_progress'
      | 'payload_too_large'
      | 'unsupported_media_type'
      | 'idempotency_key_reused'
      | 'validation_failed';
  };

  /**
   * List API tokens. Those that the user made in this organization, expired ones included; never the secrets. Scope
   * `write:profile`, role `member` or higher, session token only.
   */
  listApiTokens: {
    method: 'GET';
    path: '/v1/api-tokens';
    query: {
      /** Items on a page. */
      limit?: number;
      /** next_cursor of the previous page; same sort and filters. */
      cursor?: string;
      /** Field to sort by; - means descending. */
      sort?: 'created_at' | '-created_at' | 'name' | '-name';
      /** Only items after this time, exclusive. */
      created_after?: string;
      /** Only items before this time, exclusive. */
      created_before?: string;
    };
    data: ApiToken[];
    isList: true;
    errors: CommonErrorCode | TokenErrorCode;
  };

  /**
   * Revoke an API token. The token is dead at its next request. Scope `write:profile`, role `member` or higher, session
   * token only.
   */
  deleteApiToken: {
    method: 'DELETE';
    path: '/v1/api-tokens/{id}';
    params: {
      id: string;
    };
    data: undefined;
    errors: CommonErrorCode | TokenErrorCode;
  };

  /** List licenses. Scope `read:licenses`, role `member` or higher. */
  listLicenses: {
    method: 'GET';
    path: '/v1/licenses';
    query: {
      /** Items on a page. */
      limit?: number;
      /** next_cursor of the previous page; same sort and filters. */
      cursor?: string;
      /** Field to sort by; - means descending. */
      sort?: 'created_at' | '-created_at' | 'expires_at' | '-expires_at' | 'product' | '-product';
      /** Only items with this status. */
      status?: 'active' | 'suspended' | 'expired' | 'revoked';
      /** Only items with this product. */
      product?: string;
      /** Only items before this time, exclusive. */
      expires_before?: string;
      /** Only items after this time, exclusive. */
      created_after?: string;
      /** Only items before this time, exclusive. */
      created_before?: string;
    };
    data: License[];
    isList: true;
    errors: CommonErrorCode | TokenErrorCode;
  };

  /** Read a license with its active sessions. Scope `read:licenses`, role `member` or higher. */
  getLicense: {
    method: 'GET';
    path: '/v1/licenses/{license_id}';
    params: {
      license_id: string;
    };
    data: LicenseDetail;
    errors: CommonErrorCode | TokenErrorCode;
  };

  /** List the sessions of a license, ended ones included. Scope `read:licenses`, role `member` or higher. */
  listLicenseSessions: {
    method: 'GET';
    path: '/v1/licenses/{license_id}/sessions';
    params: {
      license_id: string;
    };
    query: {
      /** Items on a page. */
      limit?: number;
      /** next_cursor of the previous page; same sort and filters. */
      cursor?: string;
      /** Field to sort by; - means descending. */
      sort?: 'started_at' | '-started_at' | 'last_heartbeat' | '-last_heartbeat';
      /** Only items with this status. */
      status?: 'active' | 'released' | 'timed_out';
      /** Only items with this user_id. */
      user_id?: string;
      /** Only items with this hardware_id. */
      hardware_id?: string;
      /** Only items after this time, exclusive. */
      started_after?: string;
    };
    data: LicenseSessionRecord[];
    isList: true;
    errors: CommonErrorCode | TokenErrorCode;
  };

  /**
   * Take a seat. Answers 201 with a new session, or 200 with the session that this user holds on this machine already.
   * Check the license_token offline with the public key. Scope `manage:licenses`, role `member` or higher.
   */
  acquireSeat: {
    method: 'POST';
    path: '/v1/licenses/acquire';
    body: AcquireSeatBody;
    data: AcquiredSeat;
    errors:
      | CommonErrorCode
      | TokenErrorCode
      | 'license_expired'
      | 'license_suspended'
      | 'license_revoked'
      | 'idempotency_in_progress'
      | 'no_seats_available'
      | 'payload_too_large'
      | 'unsupported_media_type'
      | 'idempotency_key_reused'
      | 'invalid_hardware_id';
  };

  /**
   * Keep a session alive. Send one within every heartbeat interval. A fresh license_token comes when less than half of
   * the last one is left. Scope `manage:licenses`, role `member` or higher.
   */
  heartbeatSeat: {
    method: 'POST';
    path: '/v1/licenses/heartbeat';
    body: HeartbeatSeatBody;
    data: Heartbeat;
    errors:
      | CommonErrorCode
      | TokenErrorCode
      | 'license_expired'
      | 'license_suspended'
      | 'license_revoked'
      | 'idempotency_in_progress'
      | 'session_timeout'
      | 'session_released'
      | 'payload_too_large'
      | 'unsupported_media_type'
      | 'idempotency_key_reused';
  };

  /**
   * Give a seat back. Releasing a released session again answers the first release. Admins may release anyone’s. Scope
   * `manage:licenses`, role `member` or higher.
   */
  releaseSeat: {
    method: 'POST';
    path: '/v1/licenses/release';
    body: ReleaseSeatBody;
    data: ReleasedSeat;
    errors:
      | CommonErrorCode
      | TokenErrorCode
      | 'idempotency_in_progress'
      | 'session_timeout'
      | 'payload_too_large'
      | 'unsupported_media_type'
      | 'idempotency_key_reused';
  };

  /** Read the public key that checks license tokens. Scope `read:licenses`, role `member` or higher. */
  getLicensePublicKey: {
    method: 'GET';
    path: '/v1/licenses/public-key';
    data: LicensePublicKey;
    errors: CommonErrorCode | TokenErrorCode;
  };

  /** Read every key that license tokens in the field are signed with. Needs no token. */
  getKeySet: {
    method: 'GET';
    path: '/.well-known/jwks.json';
    contentType: 'application/jwk-set+json';
    data: JsonWebKeySet;
    errors: CommonErrorCode;
  };

  /** List events. Scope `read:org`, role `admin` or higher. */
  listEvents: {
    method: 'GET';
    path: '/v1/events';
    query: {
      /** Items on a page. */
      limit?: number;
      /** next_cursor of the previous page; same sort and filters. */
      cursor?: string;
      /** Field to sort by; - means descending. */
      sort?: 'created' | '-created';
      /** Only items with this type. */
      type?:
        | 'org.member.invited'
        | 'org.member.joined'
        | 'org.member.removed'
        | 'org.member.role_changed'
        | 'license.seat.acquired'
        | 'license.seat.released'
        | 'license.seat.timeout'
        | 'license.seats.exhausted'
        | 'license.expiring'
        | 'license.expired';
      /** Only items after this time, exclusive. */
      created_after?: string;
      /** Only items before this time, exclusive. */
      created_before?: string;
    };
    data: Event[];
    isList: true;
    errors: CommonErrorCode | TokenErrorCode;
  };

  /** Read an event. Scope `read:org`, role `admin` or higher. */
  getEvent: {
    method: 'GET';
    path: '/v1/events/{event_id}';
    params: {
      event_id: string;
    };
    data: Event;
    errors: CommonErrorCode | TokenErrorCode;
  };

  /** List the types of events, with schema and example. Any scope, role `member` or higher. */
  listEventTypes: {
    method: 'GET';
    path: '/v1/event-types';
    query: {
      /** Items on a page. */
      limit?: number;
      /** next_cursor of the previous page; same sort and filters. */
      cursor?: string;
      /** Field to sort by; - means descending. */
      sort?: 'type' | '-type';
    };
    data: EventType[];
    isList: true;
    errors: CommonErrorCode | TokenErrorCode;
  };
}
