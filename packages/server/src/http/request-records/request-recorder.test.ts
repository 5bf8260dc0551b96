import { describe, expect, it } from 'vitest';
import { KEPT_WHILE_QUIET, type RecordedRequest, RequestRecorder, ROOM } from './request-recorder.ts';

const request = (id: string): RecordedRequest => ({
  id,
  atMs: 0,
  method: 'GET',
  route: '/v1/me',
  status: 200,
  code: null,
  durationMs: 1,
  organizationId: null,
  userId: null,
});
const wanted = (recorder: RequestRecorder, times: number, status: number, isKnownCaller: boolean) =>
  Array.from({ length: times }, () => recorder.wants(status, isKnownCaller)).filter(Boolean).length;

describe('RequestRecorder', () => {
  it('records every error, and the first and a sample of many successes', () => {
    let drawn = 0;
    const recorder = new RequestRecorder(0.25, () => (drawn++ % 4) / 4);
    expect(wanted(recorder, KEPT_WHILE_QUIET, 200, true)).toBe(KEPT_WHILE_QUIET);
    expect(wanted(recorder, 40, 200, true)).toBe(10);
    expect(wanted(recorder, 40, 404, true)).toBe(40);
    expect(wanted(recorder, 40, 500, false)).toBe(40);
  });

  it.each([
    [0, 0],
    [1, ROOM.answers],
  ])('with a sample of %s records %s of many successes', (sample, expected) => {
    expect(wanted(new RequestRecorder(sample), 10_000, 200, true)).toBe(expected);
  });

  it('has limited room per kind between two writes, so that no kind displaces another', () => {
    const recorder = new RequestRecorder(0);
    expect(wanted(recorder, 10_000, 401, false)).toBe(ROOM.strangers);
    expect(wanted(recorder, 10_000, 429, true)).toBe(0);
    expect(wanted(recorder, 10_000, 409, true)).toBe(ROOM.errors);
    recorder.take();
    expect(wanted(recorder, 1, 401, false)).toBe(1);
    expect(wanted(recorder, 1, 409, true)).toBe(1);
  });

  it('returns each record once, and takes back those that could not be written', () => {
    const recorder = new RequestRecorder(0);
    recorder.add(request('req_a'));
    const taken = recorder.take();
    expect(recorder.take()).toEqual([]);
    recorder.add(request('req_b'));
    recorder.giveBack(taken);
    expect(recorder.take().map(({ id }) => id)).toEqual(['req_a', 'req_b']);
  });

  it('does not grow while nothing can be written', () => {
    const recorder = new RequestRecorder(0);
    for (let failed = 0; failed < 100; failed += 1) {
      for (let n = 0; n < ROOM.errors; n += 1) {
        recorder.add(request(`req_${failed}_${n}`));
      }
      recorder.giveBack(recorder.take());
    }
    expect(recorder.take().length).toBeLessThanOrEqual(3 * ROOM.errors);
  });
});
