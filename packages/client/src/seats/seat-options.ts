import { InvalidRequestError } from '../errors.ts';
import { type Fetch, readSettings, requireNumber } from '../settings.ts';
import { deriveHardwareId } from './hardware-id.ts';
import type { KeeperConfig } from './keeper-types.ts';
import type { SeatEvent } from './seat-events.ts';
import type { ServiceOptions } from './seat-service.ts';
import type { SeatStore } from './seat-store.ts';

/** The options of a seat. */
export interface SeatOptions {
  /** The URL of the service; https only. */
  baseUrl: string;
  /**
   * An access token, API token or activation token. A function is called before each request. `isRefused` means that
   * the service refused the last token, so that it can get another. Without a token, the machine is activated with the
   * license key.
   */
  token?: string | ((context: { isRefused: boolean }) => string | Promise<string>) | undefined;
  licenseKey: string;
  /** `hw_` and 32 characters of a-z and 0-9. By default derived from the machine's own ID, on Linux, macOS and Windows. */
  hardwareId?: string | undefined;
  /** Shown to admins with the session. `hostname` and `client_version` have columns of their own. */
  metadata?: Readonly<Record<string, unknown>> | undefined;
  /** The name of the machine in the list of activations. */
  name?: string | undefined;
  /** How long to wait in line if all seats are in use, 1 to 3,600 seconds. By default not at all. */
  waitSeconds?: number | undefined;
  /** Takes the seat offline, without heartbeats, for this time. */
  offlineSeconds?: number | undefined;
  /** How long `acquire` retries while the service does not answer. 30 by default. */
  timeoutSeconds?: number | undefined;
  /** Ends the acquire. Once there is a seat, `release` does. */
  signal?: AbortSignal | undefined;
  /** Gets all events, including those before there is a seat. */
  onEvent?: ((event: SeatEvent) => void) | undefined;
  /** Called once when the keeper has ended: the seat was released, or permanently lost. */
  onEnd?: (() => void) | undefined;
  /** Stores the seat for the next run of the program, so that it can start without a network. */
  store?: SeatStore | undefined;
  /** The `iss` of the license tokens. By default `baseUrl`. */
  issuer?: string | undefined;
  /** The `aud` of the license tokens. By default `seathold-client`. */
  audience?: string | undefined;
  /** Whether the seat is released when the program ends. By default it is. */
  releaseAtExit?: boolean | undefined;
  /** Replaces the global `fetch`. */
  fetch?: Fetch | undefined;
}

/** The validated options, with defaults. */
export interface SeatSettings {
  readonly service: ServiceOptions;
  readonly config: Omit<KeeperConfig, 'activation'>;
}

/** Checks the options. Throws an InvalidRequestError that names the invalid one. */
export async function readSeatOptions(options: SeatOptions): Promise<SeatSettings> {
  const { token, licenseKey, metadata, name } = options;
  const { waitSeconds = 0, offlineSeconds = 0, timeoutSeconds = 30 } = options;
  const given = typeof token === 'string' ? token : undefined;
  const { baseUrl, fetch } = readSettings({ baseUrl: options.baseUrl, token: given, fetch: options.fetch });
  if (typeof licenseKey !== 'string' || licenseKey === '') {
    throw wrong('licenseKey must be a license key');
  }
  return {
    service: {
      baseUrl,
      fetch,
      licenseKey,
      metadata,
      name,
      hardwareId: requireHardwareId(options.hardwareId ?? (await deriveHardwareId())),
      issuer: options.issuer ?? baseUrl,
      audience: options.audience ?? 'seathold-client',
      token: (isRefused) => (typeof token === 'function' ? token({ isRefused }) : token),
    },
    config: {
      waitSeconds: requireNumber('waitSeconds', waitSeconds, 0) || undefined,
      offlineSeconds: requireNumber('offlineSeconds', offlineSeconds, 0) || undefined,
      timeoutSeconds: requireNumber('timeoutSeconds', timeoutSeconds, 0),
      canRefreshToken: typeof token === 'function',
    },
  };
}

function requireHardwareId(id: string | undefined): string {
  if (id === undefined) {
    throw wrong('hardwareId is needed: this machine has no ID of its own that the client can read');
  }
  if (!/^hw_[a-z0-9]{32}$/.test(id)) {
    throw wrong('hardwareId must be hw_ and 32 characters of a-z and 0-9');
  }
  return id;
}

function wrong(message: string): InvalidRequestError {
  return new InvalidRequestError({ code: 'invalid_argument', message });
}
