import type { Answer } from './answer.ts';
import { expectNoFaults, findFault, type Operation, readApiDocument, requireOperations } from './api-document.ts';
import type { CheckGroup } from './check.ts';
import { expectStatus, expectThat, expectValue } from './expectations.ts';
import type { Probe } from './probe.ts';
import { pickText } from './read-json.ts';

const MAX_BYTES = 1_000_000;

/** Contract section 12: the OpenAPI document, and whether the service follows it. */
export const DOCUMENTS: CheckGroup = {
  key: 'documents',
  title: '§12 Documents and their promises',
  checks: [
    {
      name: 'describes itself with OpenAPI 3.1, in less than 1 MB',
      run: async (probe) => {
        const { answer, operations, danglingRefs } = await readApiDocument(probe);
        expectThat(answer, pickText(answer.body, 'openapi').startsWith('3.1'), 'openapi is not 3.1');
        expectThat(
          answer,
          Buffer.byteLength(answer.text) < MAX_BYTES,
          `it is ${Buffer.byteLength(answer.text)} bytes long`,
        );
        expectThat(answer, danglingRefs.length === 0, `${danglingRefs[0]} is not defined in the document`);
        const ids = operations.map(({ id }) => id);
        expectThat(
          answer,
          !ids.includes('') && new Set(ids).size === ids.length,
          'an operationId is missing or not unique',
        );
        expectThat(answer, ids.length > 0, 'there are no operations');
      },
    },
    {
      name: 'shows the reference at /docs, without third-party scripts',
      run: async (probe) => {
        const answer = await followOnce(probe, '/docs');
        expectStatus(answer, 200);
        const type = answer.headers['content-type'] ?? 'missing';
        expectThat(answer, type.startsWith('text/html'), `Content-Type is ${type}`);
        const policy = answer.headers['content-security-policy'] ?? 'missing';
        expectThat(answer, /(default|script)-src/.test(policy), `Content-Security-Policy is ${policy}`);
      },
    },
    {
      name: 'answers each public read operation as described',
      run: (probe) =>
        compare(
          probe,
          (each) => each.method === 'GET' && !each.needsToken,
          (each) => probe.open('GET', each.path),
        ),
    },
    {
      name: 'answers each operation that needs a token with 401 if there is none',
      run: (probe) =>
        compare(
          probe,
          (each) => each.needsToken,
          async (each) => {
            const answer = await probe.open(each.method, each.path, each.method === 'GET' ? {} : { json: {} });
            expectStatus(answer, 401);
            expectValue(answer, 'error.code', 'invalid_token');
            return answer;
          },
        ),
    },
    {
      name: 'answers each read operation with a token as described',
      run: (probe) =>
        compare(
          probe,
          (each) => each.method === 'GET' && each.needsToken,
          (each) => probe.ask('GET', each.path),
        ),
    },
  ],
};

/** Sends a request to each of these operations, and compares the answers with the document. */
async function compare(
  probe: Probe,
  isOne: (operation: Operation) => boolean,
  ask: (operation: Operation) => Promise<Answer>,
): Promise<void> {
  const { answer: document, operations } = await readApiDocument(probe);
  const chosen = operations.filter((each) => isOne(each) && isCompared(each));
  requireOperations(chosen);
  const faults: string[] = [];
  for (const operation of chosen) {
    const fault = findFault(operation, await ask(operation));
    if (fault !== undefined) {
      faults.push(fault);
    }
  }
  expectNoFaults(document, faults);
}

/** Excludes streams, which never end, and operator endpoints, which customers cannot use. */
function isCompared({ path }: Operation): boolean {
  return !(path.endsWith('/stream') || path.startsWith('/v1/operator/'));
}

async function followOnce(probe: Probe, path: string): Promise<Answer> {
  const answer = await probe.open('GET', path, { headers: { accept: 'text/html' } });
  const { location } = answer.headers;
  return location === undefined ? answer : probe.open('GET', new URL(location, new URL(path, probe.baseUrl)).pathname);
}
