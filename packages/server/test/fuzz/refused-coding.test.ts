import { gzipSync } from 'node:zlib';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import type { Member } from '../harness/index.ts';
import { findHeaderFault } from './check-answer.ts';
import { type ListeningApp, startListeningApp } from './listening-app.ts';
import { RawConnection } from './raw-connection.ts';

let subject: ListeningApp;
let connection: RawConnection;
let ada: Member;

beforeAll(async () => {
  subject = await startListeningApp({ trustsPlain: true });
  connection = RawConnection.to(subject.listener.port);
  ada = await subject.test.register('Ada');
});
afterAll(async () => {
  connection.close();
  await subject.close();
});

async function createProject(coding: string, body: Buffer, token = ada.accessToken) {
  const answer = await connection.send({
    method: 'POST',
    target: '/v1/projects',
    headers: [
      ['Authorization', `Bearer ${token}`],
      ['Content-Type', 'application/json'],
      ['Content-Encoding', coding],
    ],
    body,
    isChunked: false,
  });
  expect(findHeaderFault(answer)).toBeUndefined();
  return {
    status: answer.status,
    code: JSON.parse(answer.body).error?.code,
    takes: answer.headers.get('accept-encoding'),
  };
}

describe('a body with Content-Encoding', () => {
  const plain = Buffer.from('{"name":"Apollo"}');

  it.each(['gzip', 'br', 'x-unknown', 'identity, gzip'])('%s gets 415, compressed or not', async (coding) => {
    const refused = { status: 415, code: 'unsupported_media_type', takes: 'identity' };
    expect(await createProject(coding, gzipSync(plain))).toEqual(refused);
    expect(await createProject(coding, plain)).toEqual(refused);
  });

  it('identity is read', async () => {
    expect(await createProject('Identity', plain)).toMatchObject({ status: 201 });
  });

  it('gzip is refused only after the caller is known', async () => {
    expect(await createProject('gzip', gzipSync(plain), 'nonsense')).toMatchObject({ status: 401 });
  });
});
