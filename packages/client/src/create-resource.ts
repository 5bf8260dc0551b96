import { InvalidRequestError } from './errors.ts';
import type { ApiResponse, Call, CallOptions, Input, OperationRow, Resource, ResourceRows } from './operation-types.ts';
import { type List, listOf } from './pages.ts';
import type { Transport } from './transport.ts';

/**
 * Creates a method for each row. The row's ID determines its parameters and result: the two signatures connect the
 * types generated from openapi.json with the generated rows.
 */
export function createResource<Rows extends ResourceRows>(rows: Rows, transport: Transport): Resource<Rows>;
export function createResource(rows: ResourceRows, transport: Transport): unknown {
  return Object.fromEntries(
    Object.entries(rows).map(([name, row]) => [
      name,
      (...values: unknown[]) => {
        const { input, options } = readArguments(row, values);
        return callOperation(transport, row, input, options);
      },
    ]),
  );
}

/** Sends a request and returns its result: a list, or a promise of data. */
export function callOperation(
  transport: Transport,
  row: OperationRow,
  input: Input,
  options: CallOptions,
): Call<unknown> | List<unknown> {
  if (row.answer !== 'list') {
    return callOf(transport.send(row, input, options));
  }
  return listOf(async (cursor) => {
    const query = cursor === undefined ? input.query : { ...input.query, cursor };
    const { data, pagination, requestId } = await transport.sendForPage(row, { ...input, query }, options);
    return { data, pagination, requestId };
  });
}

function callOf(sent: Promise<ApiResponse<unknown>>): Call<unknown> {
  const data = sent.then((response) => response.data);
  return Object.assign(data, {
    withResponse: () => {
      // A caller who uses the response handles its failure there; otherwise, the promise of the data would be
      // unhandled.
      data.catch(() => undefined);
      return sent;
    },
  });
}

/** The path's parameters come first, then the body, then the query, then the options. */
function readArguments(row: OperationRow, values: readonly unknown[]): { input: Input; options: CallOptions } {
  const rest = [...values];
  const params = Object.fromEntries(
    [...row.path.matchAll(/\{(\w+)\}/g)].map(([, name = '']) => [name, rest.shift()] as const),
  );
  const body = row.body === true ? rest.shift() : undefined;
  const query = row.query === true ? rest.shift() : undefined;
  const options = rest.shift();
  if (!isRecordOrNothing(query) || !isRecordOrNothing(options)) {
    throw new InvalidRequestError({ code: 'invalid_argument', message: `${row.id} was called with a wrong argument` });
  }
  return { input: { params, query, body }, options: options ?? {} };
}

function isRecordOrNothing(value: unknown): value is Record<string, unknown> | undefined {
  return value === undefined || (typeof value === 'object' && value !== null && !Array.isArray(value));
}
