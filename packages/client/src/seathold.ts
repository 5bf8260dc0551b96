import { callOperation, createResource } from './create-resource.ts';
import { InvalidRequestError } from './errors.ts';
import { ALL_OPERATIONS, Resources } from './generated/resources.ts';
import type {
  CallOptions,
  HttpMethod,
  Input,
  OperationAt,
  PathOf,
  RequestArguments,
  ResultOf,
} from './operation-types.ts';
import { readSettings, type SeatholdOptions } from './settings.ts';
import { REAL_TIMING, type Timing, Transport } from './transport.ts';

/**
 * A client of one Seathold service, with one token.
 *
 * ```ts
 * const seathold = new Seathold({ token: process.env.SEATHOLD_TOKEN });
 * const seat = await seathold.licenses.acquire({ license_key, hardware_id });
 * ```
 *
 * Every call rejects with a `SeatholdError`, or with the reason of the signal that ended it.
 */
export class Seathold extends Resources {
  readonly #transport: Transport;

  /** Throws an InvalidRequestError if an option is invalid. `timing` is for tests. */
  constructor(options: SeatholdOptions = {}, timing: Timing = REAL_TIMING) {
    const transport = new Transport(readSettings(options), timing);
    super((rows) => createResource(rows, transport));
    this.#transport = transport;
  }

  /**
   * Any operation by its method and path: `request('GET', '/v1/events/{event_id}', { params: { event_id } })`. Takes
   * and returns the same as the operation's own method.
   */
  request<Method extends HttpMethod, Path extends PathOf<Method>>(
    method: Method,
    path: Path,
    ...input: RequestArguments<OperationAt<Method, Path>>
  ): ResultOf<OperationAt<Method, Path>>;
  request(method: string, path: string, input: Input & CallOptions = {}): unknown {
    const row = ALL_OPERATIONS.find((each) => each.method === method && each.path === path);
    if (row === undefined) {
      throw new InvalidRequestError({
        code: 'invalid_argument',
        message: `the API has no operation ${method} ${path}`,
      });
    }
    return callOperation(this.#transport, row, input, input);
  }
}
