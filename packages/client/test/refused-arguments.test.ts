import { describe, expect, it } from 'vitest';
import { InvalidRequestError, Seathold } from '../src/index.ts';
import { answerPage, startFlakyServer } from './flaky-server.ts';

describe('nothing is sent', () => {
  it.each([
    ['http://seathold.example.com', 'https'],
    ['http://localhost:8443', 'https'],
    ['seathold.example.com', 'absolute'],
    ['https://ada:secret@seathold.example.com', 'credentials'],
    ['https://seathold.example.com/?a=b', 'query'],
  ])('to %s', (baseUrl, word) => {
    expect(() => new Seathold({ baseUrl })).toThrow(InvalidRequestError);
    expect(() => new Seathold({ baseUrl })).toThrow(word);
    expect(() => new Seathold({ baseUrl })).not.toThrow('secret');
  });

  it('if a value cannot be a header, and the error does not show it', async () => {
    expect(() => new Seathold({ token: 'svc_live_secret\n' })).toThrow('token must be');
    expect(() => new Seathold({ token: 'svc_live_secret\n' })).not.toThrow('secret');
    const { seathold, received } = await startFlakyServer([]);
    const { seathold: careless } = await startFlakyServer([], { token: () => 'svc_live_secret\n' });
    await expect(careless.me.get()).rejects.toThrow(/^token must be [^_]*$/);
    await expect(seathold.projects.create({ name: 'a' }, { idempotencyKey: '' })).rejects.toThrow('idempotencyKey');
    expect(received).toHaveLength(0);
  });

  it.each(['', '.', '..'])('with an ID that would change the path: "%s"', async (id) => {
    const { seathold, received } = await startFlakyServer([]);
    await expect(seathold.projects.delete(id)).rejects.toThrow('project_id');
    expect(received).toHaveLength(0);
  });

  it('to another path, whatever an ID contains', async () => {
    const { seathold, received } = await startFlakyServer([answerPage([], null)]);
    await seathold.licenses.listSessions('../x?y=1#z');
    expect(received[0]?.path).toBe('/v1/licenses/..%2Fx%3Fy%3D1%23z/sessions');
  });
});
