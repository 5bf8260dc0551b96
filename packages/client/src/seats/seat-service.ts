import { describeFailure } from '../describe-failure.ts';
import { ConnectionError, SeatholdError, TimeoutError, UnexpectedAnswerError } from '../errors.ts';
import { type RawResponse, readAnswer } from '../read-answer.ts';
import { type Fetch, type FetchResponse, requireHeaderText } from '../settings.ts';
import type { KeeperRequest, Moment, Outcome } from './keeper-types.ts';
import { type GrantData, isOfApi, readFailure, readSuccess, seatOf } from './read-outcome.ts';
import { type HttpRequest, KEYS_REQUEST, type SeatSubject, toHttp } from './seat-requests.ts';
import type { ServerClock } from './server-clock.ts';
import {
  type CheckSignature,
  type Jwk,
  type LicenseClaims,
  parseJwt,
  parseKeySet,
  type RevocationClaims,
  verifyLicenseToken,
  verifyRevocations,
} from './verify-license-token.ts';

/** The URL of the service, and the required claims of its tokens. */
export interface ServiceOptions extends SeatSubject {
  readonly baseUrl: string;
  readonly issuer: string;
  readonly audience: string;
  readonly fetch: Fetch;
  /** `isRefused` says that the service refused the last one. */
  readonly token: (isRefused: boolean) => string | undefined | Promise<string | undefined>;
}

/** The dependencies of the service. */
export interface ServiceTools {
  now(): Moment;
  setTimer(milliseconds: number, run: () => void, isBackground: boolean): () => void;
  checkSignature: CheckSignature;
}

/** The state available without a network. */
export interface ServiceMemory {
  activationToken?: string | undefined;
  keys: readonly Jwk[];
  revocations: string | undefined;
}

/** The service as the keeper sees it: sends requests, reads the answers, and verifies the tokens in them. */
export class SeatService {
  readonly memory: ServiceMemory;
  readonly #options: ServiceOptions;
  readonly #tools: ServiceTools;
  readonly #clock: ServerClock;
  #keysMs = Number.NEGATIVE_INFINITY;
  #list: RevocationClaims = { iat: 0, revoked: new Set() };

  constructor(options: ServiceOptions, tools: ServiceTools, clock: ServerClock, memory: ServiceMemory) {
    this.memory = memory;
    this.#options = options;
    this.#tools = tools;
    this.#clock = clock;
  }

  /** Sends a request. Never rejects, unless the signal ended it. */
  async perform(request: KeeperRequest, refreshesToken: boolean, signal: AbortSignal): Promise<Outcome> {
    try {
      const { data } = await this.#send(toHttp(request, this.#options), refreshesToken, signal);
      if (request.kind === 'revocations') {
        return await this.#takeList(data, signal);
      }
      if (request.kind === 'activate') {
        this.memory.activationToken = readActivationToken(data);
      }
      const reading = readSuccess(request, data);
      return reading.kind === 'to_verify' ? await this.#verify(request, reading, signal) : reading;
    } catch (error) {
      signal.throwIfAborted();
      return readFailure(request, toSeatholdError(error));
    }
  }

  /** Verifies a token with what is in memory. */
  async verifyStored(licenseToken: string): Promise<LicenseClaims | undefined> {
    if (this.memory.revocations !== undefined) {
      await this.#readList(this.memory.revocations);
    }
    const claims = await this.#claimsOf(licenseToken, undefined);
    return typeof claims === 'string' ? undefined : claims;
  }

  async #verify(
    request: KeeperRequest,
    { licenseToken, sessionId, data }: { licenseToken: string; sessionId: string; data: GrantData },
    signal: AbortSignal,
  ): Promise<Outcome> {
    await this.#requireKey(licenseToken, signal).catch((error) => {
      if (request.kind !== 'heartbeat') {
        throw error;
      }
    });
    const claims = await this.#claimsOf(licenseToken, sessionId);
    if (request.kind === 'heartbeat') {
      // The program's token stays valid, and the next heartbeat brings another.
      return { kind: 'kept', token: typeof claims === 'string' ? undefined : tokenOf(licenseToken, claims) };
    }
    if (typeof claims === 'string') {
      const message = `The license token of the service is not valid: ${claims}.`;
      const error = new SeatholdError({ code: 'invalid_license_token', message, details: { reason: claims } });
      return { kind: 'refused', code: error.code, error };
    }
    return { kind: 'granted', seat: seatOf(sessionId, data, tokenOf(licenseToken, claims)) };
  }

  #claimsOf(licenseToken: string, sessionId: string | undefined) {
    const { issuer, audience, hardwareId } = this.#options;
    const nowMs = this.#clock.nowMs(this.#tools.now());
    const expected = { issuer, audience, hardwareId, sessionId, nowMs, revoked: this.#list.revoked };
    return verifyLicenseToken(licenseToken, this.memory.keys, expected, this.#tools.checkSignature);
  }

  async #takeList(data: unknown, signal: AbortSignal): Promise<Outcome> {
    const text = new TextDecoder().decode(data instanceof ArrayBuffer ? data : undefined);
    await this.#requireKey(text, signal);
    await this.#readList(text);
    return { kind: 'listed', revoked: this.#list.revoked };
  }

  /** Takes a list that is not older than the one in use. A list that is not from the service is ignored. */
  async #readList(text: string): Promise<void> {
    const list = await verifyRevocations(text, this.memory.keys, this.#options.issuer, this.#tools.checkSignature);
    if (typeof list !== 'string' && list.iat >= this.#list.iat) {
      this.#list = list;
      this.memory.revocations = text;
    }
  }

  /** Fetches the keys if the token was signed with an unknown one, at most once a minute. */
  async #requireKey(token: string, signal: AbortSignal): Promise<void> {
    const kid = parseJwt(token)?.header.kid;
    const { monoMs } = this.#tools.now();
    if (this.memory.keys.some((key) => key.kid === kid) || monoMs - this.#keysMs < KEYS_EVERY_MS) {
      return;
    }
    const { data } = await this.#send(KEYS_REQUEST, false, signal);
    const keys = parseKeySet(data);
    if (keys.length === 0) {
      throw new UnexpectedAnswerError({ code: 'unexpected_answer', message: 'The key set has no keys.' });
    }
    this.#keysMs = monoMs;
    this.memory.keys = keys;
  }

  async #send(request: HttpRequest, refreshesToken: boolean, signal: AbortSignal): Promise<RawResponse> {
    const token = request.needsToken ? await this.#token(refreshesToken) : undefined;
    const headers: Record<string, string> = { accept: request.answer === 'bytes' ? '*/*' : 'application/json' };
    if (token !== undefined) {
      headers.authorization = `Bearer ${requireHeaderText('token', token)}`;
    }
    const body = request.body === undefined ? undefined : JSON.stringify(request.body);
    if (body !== undefined) {
      headers['content-type'] = 'application/json';
    }
    const controller = new AbortController();
    const stop = (): void => controller.abort(signal.reason);
    signal.addEventListener('abort', stop);
    const message = `No response within ${request.timeoutMs} ms.`;
    const late = new TimeoutError({ code: 'timed_out', message, wasSent: true });
    const cancel = this.#tools.setTimer(request.timeoutMs, () => controller.abort(late), false);
    try {
      const response = await this.#options.fetch(this.#options.baseUrl + request.path, {
        method: request.method,
        headers,
        redirect: 'manual',
        signal: controller.signal,
        ...(body === undefined ? {} : { body }),
        ...(request.isLast === true ? { keepalive: true } : {}),
      });
      return await this.#read(request, response, token === undefined ? [] : [token]);
    } catch (failure) {
      throw controller.signal.aborted ? controller.signal.reason : toSeatholdError(failure, token);
    } finally {
      cancel();
      signal.removeEventListener('abort', stop);
    }
  }

  /** Reads an answer, and the time from it if it is the API's. A proxy's page or a cached file may be old. */
  async #read(request: HttpRequest, response: FetchResponse, secrets: readonly string[]): Promise<RawResponse> {
    const dateMs = Date.parse(response.headers.get('date') ?? '');
    const isTimed = (request.answer === 'data' || request.answer === 'nothing') && !Number.isNaN(dateMs);
    try {
      const answer = await readAnswer(request, response, secrets);
      if (isTimed) {
        this.#clock.observe(dateMs, this.#tools.now());
      }
      return answer;
    } catch (error) {
      if (isTimed && error instanceof SeatholdError && isOfApi(error)) {
        this.#clock.observe(dateMs, this.#tools.now());
      }
      throw error;
    }
  }

  async #token(isRefused: boolean): Promise<string | undefined> {
    return this.memory.activationToken ?? (await this.#options.token(isRefused));
  }
}

const KEYS_EVERY_MS = 60_000;

function tokenOf(licenseToken: string, { exp, lic, features }: LicenseClaims) {
  return { licenseToken, features, expiresAtMs: exp * 1000, licenseId: lic };
}

function readActivationToken(data: unknown): string | undefined {
  const { activation_token: token } = Object(data);
  return typeof token === 'string' ? token : undefined;
}

/** An error of the API or of the connection. A failure of the program's own `token` function may be temporary. */
function toSeatholdError(failure: unknown, token = ''): SeatholdError {
  if (failure instanceof SeatholdError) {
    return failure;
  }
  const message = `The request got no answer: ${describeFailure(failure, token === '' ? [] : [token])}`;
  return new ConnectionError({ code: 'connection_failed', message, wasSent: false });
}
